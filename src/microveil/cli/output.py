"""How results reach a terminal: one JSON object, or tables for people."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from microveil.progress import Progress


MISSING_WORDS = {
    "category": "a missing key is a value of its own",
    "wildcard": "a missing key matches any value",
}
"""How missing keys were read, beside the numbers that depend on it."""


class Printed:
    """Whether a command has printed its one JSON object."""

    done = False


def print_json(plain: Mapping[str, Any]) -> None:
    """One JSON object on standard output; what JSON cannot say becomes text or null."""
    Printed.done = True
    sys.stdout.write(json.dumps(_plain(plain), ensure_ascii=False, indent=2, default=str) + "\n")


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value.item() if hasattr(value, "item") else value


def console(*, error: bool = False) -> Console:
    """Where people read: standard output, or standard error for what is not the result."""
    from rich.console import Console

    return Console(stderr=error, highlight=False, soft_wrap=False)


def print_grid(
    out: Console, title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """A title, and below it a plain table; numbers to the right."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table as RichTable

    table = RichTable(box=box.SIMPLE_HEAD, show_header=any(columns))
    for position, column in enumerate(columns):
        numeric = bool(rows) and all(isinstance(row[position], int | float) for row in rows)
        table.add_column(escape(column), justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(escape(_cell(value)) for value in row))
    out.print(title, style="bold", markup=False)
    out.print(table)


def _cell(value: Any) -> str:
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def percent(part: float) -> str:
    """A share as text.

    >>> percent(0.0033)
    '0.33 %'
    """
    return f"{100 * part:.2f} %"


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A bar on standard error, and only where that is a terminal."""
    from microveil.progress import silent

    if not sys.stderr.isatty():
        yield silent
        return
    from rich.progress import Progress as Bar

    with Bar(console=console(error=True), transient=True) as bar:
        task = bar.add_task("", total=1)

        def show(done: float, total: float, what: str) -> None:
            counts = f" {done:,.0f} of {total:,.0f}" if what.startswith("rows") else ""
            bar.update(task, completed=done, total=total, description=f"{what}{counts}")

        yield show
