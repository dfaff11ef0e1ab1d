"""The page's codebook: what each released column contains."""

from __future__ import annotations

from collections.abc import Sequence

from microveil.reports.markup import Markup, element, together
from microveil.reports.page_parts import table
from microveil.reports.summary import Column
from microveil.reports.words.wording import number, percent
from microveil.texts import Message

KINDS = {
    str(one): one
    for one in (
        Message("report.yes_or_no", "yes or no"),
        Message("report.dates", "dates or times"),
        Message("report.whole_numbers", "whole numbers"),
        Message("report.numbers", "numbers"),
        Message("report.text", "text"),
    )
}
"""What columns hold, in words."""
OPEN = 12
"""Columns up to which the codebook is shown at once."""


def codebook(columns: Sequence[Column]) -> Markup | None:
    """Kind, levels or range, and missing cells of each column."""
    if not columns:
        return None
    rows = [
        [_name(one), KINDS.get(one.kind, one.kind), _contents(one), _missing(one)]
        for one in columns
    ]
    return element(
        "details",
        element(
            "summary",
            Message("report.codebook_what_stands_each", "Codebook: what stands in each column"),
        ),
        table(
            [
                Message("report.column", "Column"),
                Message("report.holds_2", "Holds"),
                Message("report.values", "Values"),
                Message("report.missing_2", "Missing"),
            ],
            rows,
        ),
        open=len(columns) <= OPEN,
    )


def _name(one: Column) -> Markup:
    """The column's name, and what it means if that is known."""
    name = element("code", one.name)
    return name if one.label is None else together(name, element("br"), one.label)


def _missing(one: Column) -> str:
    return Message("report.none", "none") if one.missing_share == 0 else percent(one.missing_share)


def _contents(one: Column) -> str:
    """The levels one after the other, or the range of the numbers."""
    if one.levels is not None:
        shown = [element("span", level, class_="level") for level in one.levels]
        rare = Message("report.rarer", "{n} rarer", n=number(one.n_rare)) if one.n_rare else ""
        pieces = [*shown, element("em", rare)] if rare else shown
        return together(*[piece for one_ in pieces for piece in (one_, " ")][:-1])
    many = Message("report.many_values", "many different values")
    if one.n_levels is not None:
        many = Message(
            "report.n_values",
            "1 value",
            many="{n:,} values",
            n=one.n_levels,
        )
    if one.range is None:
        return many
    low, high = one.range
    return Message(
        "report.between",
        "{many_values} between {low} and {high}",
        many_values=many,
        low=low,
        high=high,
    )
