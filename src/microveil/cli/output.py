"""Output to a terminal: one JSON object, or tables for people."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, Protocol

from microveil.cli.logs import phases_logged, wants_json_lines
from microveil.errors import RequirementNotMetError

if TYPE_CHECKING:
    from rich.console import Console

    from microveil.progress import Progress
    from microveil.release.cautions import Caution


MISSING_WORDS = {
    "category": "a missing key is a value of its own",
    "wildcard": "a missing key matches any value",
}
"""How missing keys were treated, shown beside the numbers that depend on it."""


class Printed:
    """Whether a command has printed its one JSON object."""

    done = False


def print_json(plain: Mapping[str, Any]) -> None:
    """Print one JSON object to standard output; what JSON cannot express becomes text or null."""
    Printed.done = True
    sys.stdout.write(json.dumps(_plain(plain), ensure_ascii=False, indent=2, default=str) + "\n")


class Verdict(Protocol):
    """What a check found, in a sentence and as data."""

    @property
    def holds(self) -> bool:
        """Whether all is well."""
        ...

    def sentence(self) -> str:
        """What was found."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        ...


def show_verdict(found: Verdict, *, as_json: bool) -> None:
    """Print what a check found; if it does not hold, end with exit code 3."""
    if as_json:
        print_json(found.to_dict())
    if not found.holds:
        raise RequirementNotMetError(found.sentence())
    if not as_json:
        console().print(found.sentence(), markup=False)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value.item() if hasattr(value, "item") else value


PLACE = re.compile(r"^((?:roles|steps|require)[\w.]*): ")
"""The position in a recipe at the start of a message."""


def error_object(message: str, kind: str) -> dict[str, str | None]:
    """Split a message into where, what, and what to do.

    >>> error_object("steps.0.drop: No column 'nmae'. Did you mean 'name'?", "ColumnError")["where"]
    'steps.0.drop'
    """
    place = PLACE.match(message)
    text = message[place.end() :] if place else message
    what, dot, remedy = text.partition(". ")
    return {
        "kind": kind,
        "where": place.group(1) if place else None,
        "message": what + dot.strip(),
        "remedy": remedy or None,
    }


def console(*, error: bool = False) -> Console:
    """Standard output, or standard error for what is not the result."""
    from microveil.cli.terminal import Terminal

    return Terminal(stderr=error, highlight=False, soft_wrap=False)


def print_grid(
    out: Console, title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """A title, and below it a plain table; numbers to the right.

    No word and no number is truncated: if the widest words do not fit side by side, each row
    becomes a block of lines.
    """
    from rich.markup import escape

    out.print(title, style="bold", markup=False)
    cells = [[_cell(value) for value in row] for row in rows]
    needed = _least_widths(columns, cells)
    if _too_wide(needed, out):
        _print_blocks(out, columns, cells)
        return
    from rich import box
    from rich.table import Table as RichTable

    table = RichTable(box=box.SIMPLE_HEAD, show_header=any(columns))
    for position, column in enumerate(columns):
        numeric = bool(rows) and all(isinstance(row[position], int | float) for row in rows)
        side: Literal["left", "right"] = "right" if numeric else "left"
        table.add_column(escape(column), justify=side, overflow="fold", min_width=needed[position])
    for row in cells:
        table.add_row(*map(escape, row))
    out.print(table)


def fits(out: Console, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> bool:
    """Whether a table finds room with its columns side by side."""
    cells = [[_cell(value) for value in row] for row in rows]
    return not _too_wide(_least_widths(columns, cells), out)


def _least_widths(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> list[int]:
    """The least width of each column."""
    return [_longest_word([column, *(row[i] for row in cells)]) for i, column in enumerate(columns)]


def _too_wide(needed: Sequence[int], out: Console) -> bool:
    return sum(needed) + BETWEEN * len(needed) + 1 > out.width


BETWEEN = 3
"""Signs that a column takes beside its words."""


def _longest_word(texts: Sequence[str]) -> int:
    """Signs of the longest word; a short text is one word, as numbers contain spaces."""
    words = [word for text in texts for word in ([text] if len(text) <= SHORT else text.split())]
    return max(map(len, words), default=0)


SHORT = 12
"""Signs of a text that is not broken at its spaces."""


def _print_blocks(out: Console, columns: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    """Each row as a block of lines, one for a column."""
    width = max(map(len, columns), default=0)
    for row in cells:
        out.print()
        for column, cell in zip(columns, row, strict=True):
            if cell:
                out.print(f"  {column:<{width}}  {cell}", markup=False, soft_wrap=True)
    out.print()


def _cell(value: Any) -> str:
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A bar on standard error if that is a terminal, otherwise a line every few seconds."""
    if not sys.stderr.isatty() or wants_json_lines():
        from microveil.cli.progress_lines import progress_lines

        with progress_lines() as lines, phases_logged(lines) as progress:
            yield progress
        return
    from rich.progress import Progress as Bar

    from microveil.progress import describe_work

    with Bar(console=console(error=True), transient=True) as bar:
        task = bar.add_task("", total=1)

        def show(done: float, total: float, what: str) -> None:
            counts = f" {done:,.0f} of {total:,.0f}" if what.startswith("rows") else ""
            shown = f"{describe_work(what)}{counts}"
            bar.update(task, completed=done, total=total, description=shown)

        with phases_logged(show) as progress:
            yield progress


def print_cautions(out: Console, cautions: Iterable[Caution]) -> None:
    """What to know before a release is trusted, each with the line of a recipe that helps."""
    from rich.markup import escape

    for caution in cautions:
        out.print(f"[yellow]![/yellow] {escape(caution.sentence)}")
        print_step(out, caution.details)


def print_step(out: Console, details: Mapping[str, Any]) -> None:
    """The step or requirement that sees to a caution, as a line to add to the recipe."""
    from microveil.app.inspection.result import as_line

    for place, what in (("steps", "step"), ("require", "require")):
        if said := details.get(what):
            out.print(f"  {place}: {as_line(said)}", markup=False, soft_wrap=True)
