"""How results are displayed: short text, and HTML that looks the same in every notebook.

A result describes itself in a :class:`Card`: a title, sentences, and small tables of plain values.
No card contains records of the data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from microveil.texts.numbers import percent

__all__ = ["Card", "Grid", "Shown", "grid", "number", "percent", "unbroken"]

NO_BREAK_SPACE = "\u00a0"
_BEFORE_SIGN = re.compile(r"(?<=\d)[ \u00a0](?=%)")
MOST_ROWS = 12
"""Number of table rows that are shown by default; the rest is counted."""


@dataclass(frozen=True)
class Grid:
    """A small table of plain values."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    title: str = ""
    most: int | None = MOST_ROWS
    """Number of rows that are shown; None for all."""


@dataclass(frozen=True)
class Card:
    """A short summary of a result: what it is, what it found, and the numbers behind it."""

    title: str
    lines: tuple[str, ...] = ()
    grids: tuple[Grid, ...] = field(default=())

    def text(self) -> str:
        """The card as lines of text."""
        blocks = [self.title, *(f"  {line}" for line in self.lines)]
        blocks += [line for grid in self.grids for line in _grid_lines(grid)]
        return "\n".join(blocks)

    def html(self) -> str:
        """The card as HTML without scripts; all text is escaped."""
        lines = "".join(f"<div>{_safe(line)}</div>" for line in self.lines)
        grids = "".join(_grid_html(grid) for grid in self.grids)
        return (
            f'<div style="font-family: sans-serif; max-width: 60em"><strong>{_safe(self.title)}'
            f"</strong>{lines}{grids}</div>"
        )


def unbroken(text: str, joint: str = NO_BREAK_SPACE) -> str:
    r"""The text with a joint between a number and its per cent sign, where no line may end.

    >>> unbroken("15.7 % of records")
    '15.7\xa0% of records'
    """
    return _BEFORE_SIGN.sub(joint, text)


def _safe(text: str) -> str:
    return unbroken(escape(text))


class Shown:
    """A result that displays itself as its card, in a console and in a notebook."""

    def card(self) -> Card:
        """A short summary of the result."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self.card().text()

    def _repr_html_(self) -> str:
        return self.card().html()


def number(value: Any) -> str:
    """Format a plain value for reading.

    >>> number(0.123456), number(1234567), number(None), number(True)
    ('0.123', '1,234,567', '–', 'yes')
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"  # noqa: PLR2004  a thousand
    return str(value)


def grid(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    title: str = "",
    most: int | None = MOST_ROWS,
) -> Grid:
    """A grid of values formatted for reading."""
    shown = tuple(tuple(number(cell) for cell in row) for row in rows)
    return Grid(tuple(columns), shown, title, most)


def _grid_lines(one: Grid) -> list[str]:
    rows = [one.columns, *one.rows[: one.most]]
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(one.columns))]
    lines = [
        "  " + "  ".join(str(cell).ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
    head = [f"  {one.title}"] if one.title else []
    return [*head, *(line.rstrip() for line in lines), *_rest(one)]


def _rest(one: Grid) -> list[str]:
    left = 0 if one.most is None else len(one.rows) - one.most
    return [f"  … and {left} more"] if left > 0 else []


def _grid_html(one: Grid) -> str:
    cell = 'style="padding: 0.2em 0.8em 0.2em 0; text-align: left"'
    head = "".join(f"<th {cell}>{_safe(name)}</th>" for name in one.columns)
    body = "".join(
        "<tr>" + "".join(f"<td {cell}>{_safe(str(value))}</td>" for value in row) + "</tr>"
        for row in one.rows[: one.most]
    )
    title = f"<div>{_safe(one.title)}</div>" if one.title else ""
    rest = "".join(f"<div>{_safe(line)}</div>" for line in _rest(one))
    return f"{title}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"
