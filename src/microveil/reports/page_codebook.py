"""The page's codebook: what each released column contains."""

from __future__ import annotations

from collections.abc import Sequence

from microveil.reports.markup import Markup, element, together
from microveil.reports.page_parts import table
from microveil.reports.summary import Column
from microveil.reports.wording import number, percent

OPEN = 12
"""Columns up to which the codebook is shown at once."""


def codebook(columns: Sequence[Column]) -> Markup | None:
    """Kind, levels or range, and missing cells of each column."""
    if not columns:
        return None
    rows = [[element("code", one.name), one.kind, _contents(one), _missing(one)] for one in columns]
    return element(
        "details",
        element("summary", "Codebook: what stands in each column"),
        table(["Column", "Holds", "Values", "Missing"], rows),
        open=len(columns) <= OPEN,
    )


def _missing(one: Column) -> str:
    return "none" if one.missing_share == 0 else percent(one.missing_share)


def _contents(one: Column) -> str:
    """The levels one after the other, or the range of the numbers."""
    if one.levels is not None:
        shown = [element("span", level, class_="level") for level in one.levels]
        rare = f"{number(one.n_rare)} rarer" if one.n_rare else ""
        pieces = [*shown, element("em", rare)] if rare else shown
        return together(*[piece for one_ in pieces for piece in (one_, " ")][:-1])
    many = "many different values" if one.n_levels is None else f"{number(one.n_levels)} values"
    if one.range is None:
        return many
    low, high = one.range
    return f"{many} between {low} and {high}"
