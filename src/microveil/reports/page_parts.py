"""The pieces that pages are put together from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from microveil.reports.figures import Figure
from microveil.reports.markup import Markup, element, together


def section(title: str, *children: str | None) -> Markup:
    """A section with its heading."""
    name = title.lower().replace(" ", "-")
    return element("section", element("h2", title, id=name), *children, aria_labelledby=name)


def table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], *, numeric_from: int | None = None
) -> Markup:
    """A table that scrolls by itself where the screen is narrow."""

    def kind(place: int) -> str | None:
        return "number" if numeric_from is not None and place >= numeric_from else None

    head = [element("th", text, scope="col", class_=kind(i)) for i, text in enumerate(heads)]
    body = [
        element("tr", *[_cell(head, cell, kind(i)) for i, (head, cell) in _headed(heads, row)])
        for row in rows
    ]
    whole = element("table", element("thead", element("tr", *head)), element("tbody", *body))
    return element("div", whole, class_="scroll", tabindex="0", role="group")


def _headed(heads: Sequence[str], row: Sequence[str]) -> Iterable[tuple[int, tuple[str, str]]]:
    return enumerate(zip(heads, row, strict=True))


def _cell(head: str, cell: str, kind: str | None) -> Markup:
    # Where a table is shown row by row, on a phone, each cell carries its own head.
    return element("td", cell, class_=kind, data_label=head or None)


def column_list(columns: Iterable[str], gone: Collection[str] = ()) -> Markup:
    """Column names in a row; those that are gone are struck out and said to be."""
    names = [
        together(element("del", element("code", name)), element("small", " removed"))
        if name in gone
        else element("code", name)
        for name in columns
    ]
    return together(*[piece for name in names for piece in (name, " ")][:-1])


def note(head: str, text: str) -> Markup:
    """A sentence with its catchword."""
    return together(element("strong", f"{head}. "), text)


def side_by_side(*blocks: Markup | None) -> Markup:
    """Blocks beside each other where there is room, below each other where there is not."""
    return element("div", *[element("div", block) for block in blocks if block], class_="beside")


def figure_row(figures: Sequence[Figure]) -> Markup | None:
    """Figures side by side where there is room."""
    if not figures:
        return None
    shown = [
        element(
            "figure",
            # The picture was drawn here from escaped text, so it stands as it is.
            element("div", Markup(one.svg), role="img", aria_label=one.caption),
            element("figcaption", one.caption),
        )
        for one in figures
    ]
    return element("div", *shown, class_="figures")
