"""Formulas: text that a spreadsheet would execute is made to stay text.

A cell that starts with ``= + - @``, a tab or a line break, or with the full-width form of one of
the four signs, is prefixed with an apostrophe (OWASP, "CSV injection"). Text that is a plain
number, such as ``-5``, is left alone: a spreadsheet reads it as a number, which executes nothing,
and other programs can still read it. Numeric columns are never touched.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import polars as pl

from microveil.errors import FileError

_RUNS = r"^[=+\-@\t\r\n＝＋－＠]"
_PLAIN_NUMBER = r"^[+-]?[0-9]+(?:[.,][0-9]+)?(?:[eE][+-]?[0-9]+)?$"


def neutralize_formulas(frame: pl.DataFrame) -> tuple[pl.DataFrame, Mapping[str, int]]:
    """The frame with an apostrophe before formulas, and the number of cells by column.

    >>> frame, counts = neutralize_formulas(pl.DataFrame({"note": ["=1+1", "-5", "fine"]}))
    >>> frame["note"].to_list(), counts
    (["'=1+1", '-5', 'fine'], {'note': 1})
    """
    texts = [
        name
        for name, dtype in frame.schema.items()
        if dtype in (pl.String, pl.Categorical, pl.Enum)
    ]
    runs = {name: _runs(pl.col(name).cast(pl.String)) for name in texts}
    found = frame.select(expr.sum().alias(name) for name, expr in runs.items()) if runs else frame
    counts = {name: int(found[name].item() or 0) for name in texts}
    counts = {name: n_cells for name, n_cells in counts.items() if n_cells}
    changed = frame.with_columns(
        pl.when(runs[name])
        .then(pl.concat_str(pl.lit("'"), pl.col(name).cast(pl.String)))
        .otherwise(pl.col(name).cast(pl.String))
        .alias(name)
        for name in counts
    )
    return changed, counts


def looks_neutralized(text: pl.Expr) -> pl.Expr:
    """Whether a cell reads like one that was neutralised.

    >>> cells = pl.DataFrame({"a": ["'=x", "=x", "'x"]})
    >>> cells.select(looks_neutralized(pl.col("a")))["a"].to_list()
    [True, False, False]
    """
    return text.str.starts_with("'") & _runs(text.str.slice(1))


def restore(text: pl.Expr) -> pl.Expr:
    """The cells as they were before they were neutralised, where no other one read like that."""
    return pl.when(looks_neutralized(text)).then(text.str.slice(1)).otherwise(text)


def neutralized_names(names: list[str]) -> list[str]:
    """Column names that no spreadsheet would execute.

    >>> neutralized_names(["age", "=cmd()"])
    ['age', "'=cmd()"]
    """
    safe = [f"'{name}" if _name_runs(name) else name for name in names]
    if len(set(safe)) < len(safe):
        raise FileError(
            "Two column names are equal once formulas in them are neutralised. Rename one."
        )
    return safe


def _runs(text: pl.Expr) -> pl.Expr:
    return text.str.contains(_RUNS) & ~text.str.contains(_PLAIN_NUMBER)


def _name_runs(name: str) -> bool:
    return bool(re.match(_RUNS, name)) and not re.match(_PLAIN_NUMBER, name)
