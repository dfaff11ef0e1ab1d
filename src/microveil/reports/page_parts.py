"""Building blocks of pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from microveil.reports.figure import Figure
from microveil.reports.markup import Markup, element, together
from microveil.reports.words.speaking import current_language
from microveil.reports.words.spec_words import BETTER, scale_name, summary_of
from microveil.reports.words.wording import number, percent
from microveil.texts import Message, compose, join

FEW = 3
"""Number of columns of a table that fit on a phone."""


def section(title: str, *children: str | None) -> Markup:
    """A section with its heading."""
    name = str(title).lower().replace(" ", "-")  # in English, so that links stay
    return element("section", element("h2", title, id=name), *children, aria_labelledby=name)


def table(
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numeric_from: int | None = None,
    matrix: bool = False,
) -> Markup:
    """A table whose rows are stacked where the screen is narrow; a matrix scrolls by itself."""

    def kind(place: int) -> str | None:
        return "number" if numeric_from is not None and place >= numeric_from else None

    head = [element("th", text, scope="col", class_=kind(i)) for i, text in enumerate(heads)]
    body = [
        element("tr", *[_cell(head, cell, kind(i)) for i, (head, cell) in _with_heads(heads, row)])
        for row in rows
    ]
    # A few short columns of numbers find room on every screen.
    matrix = matrix or (numeric_from is not None and len(heads) <= FEW)
    whole = element("table", element("thead", element("tr", *head)), element("tbody", *body))
    return element(
        "div", whole, class_="matrix" if matrix else "scroll", tabindex="0", role="group"
    )


def _with_heads(heads: Sequence[str], row: Sequence[str]) -> Iterable[tuple[int, tuple[str, str]]]:
    return enumerate(zip(heads, row, strict=True))


def _cell(head: str, cell: str, kind: str | None) -> Markup:
    # Where a table is shown row by row, on a phone, each cell carries its own head.
    return element("td", element("div", cell, class_="cell"), class_=kind, data_label=head or None)


def column_list(columns: Iterable[str], gone: Collection[str] = ()) -> Markup:
    """Column names in a row; removed ones are struck out and marked as such."""
    names = [
        together(
            element("del", element("code", name)),
            element("small", Message("report.removed_mark", " removed")),
        )
        if name in gone
        else element("code", name)
        for name in columns
    ]
    return together(*[piece for name in names for piece in (name, " ")][:-1])


def note(head: str, text: str) -> Markup:
    """A sentence with its keyword."""
    return together(element("strong", compose("{head}. ", head=head)), text)


def not_taken(reasons: Mapping[str, str] | None) -> Markup | None:
    """Measures that were not taken, folded away, each reason once."""
    if not reasons:
        return None
    rows = []
    for reason in dict.fromkeys(reasons.values()):
        names = [element("code", name) for name, one in reasons.items() if one == reason]
        rows.append([together(*[piece for name in names for piece in (name, " ")][:-1]), reason])
    return element(
        "details",
        element("summary", Message("report.measures_taken", "Measures not taken")),
        table([Message("report.measure", "Measure"), Message("report.why", "Why")], rows),
    )


def score_words(score: Mapping[str, Any] | None) -> str:
    """A score's value, with its interval if it has one; shares in per cent."""
    if score is None:
        return "–"
    per_cell = score.get("parts", {}).get("per_cell")
    if per_cell is not None:  # a sum over all cells grows with the table, and says little
        return Message("report.a_cell", "{number} a cell", number=number(per_cell))
    share = score["scale"] == "share"
    value = _number(score["value"], share=share)
    if not score.get("interval"):
        return value
    low, high = (_number(end, share=share) for end in score["interval"])
    return Message("report.interval", "{value} ({low} to {high})", value=value, low=low, high=high)


def meaning_words(score: Mapping[str, Any]) -> str:
    """What a score says, of which columns, its unit, and which way is better."""
    meaning = (
        summary_of(score["measure"], score["meaning"])
        if current_language() != "en"
        else score["meaning"]
    )
    parts: list[str] = [f"{meaning.rstrip('.')}."]
    if score.get("columns"):
        named = tuple(score["columns"])
        parts.append(Message("report.of_columns", "Columns: {names}.", names=named))
    if score["scale"] != "share":
        parts.append(Message("report.unit", "Unit: {unit}.", unit=scale_name(score["scale"])))
    return join([*parts, BETTER[score["better"]]])


def _number(value: Any, *, share: bool) -> str:
    if not isinstance(value, int | float):
        return str(value)
    return percent(value) if share and 0 <= value <= 1 else number(value)


def side_by_side(*blocks: Markup | None) -> Markup:
    """Blocks side by side if there is room, otherwise below each other."""
    return element("div", *[element("div", block) for block in blocks if block], class_="beside")


def figure_row(figures: Sequence[Figure]) -> Markup | None:
    """Figures side by side if there is room."""
    if not figures:
        return None
    shown = [
        element(
            "figure",
            # The picture was drawn here from escaped text, so it is inserted unchanged.
            element("div", Markup(one.svg), role="img", aria_label=one.caption),
            element("figcaption", one.caption),
        )
        for one in figures
    ]
    return element("div", *shown, class_="figures")
