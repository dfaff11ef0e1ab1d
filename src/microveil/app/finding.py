"""Finding: how many records match what is known about a person, and what they reveal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Flags
from microveil.errors import InputError
from microveil.labels.overlap import overlaps
from microveil.tables.values import as_text, categories
from microveil.texts import Message

MOST_LEARNT = 3
"""Likeliest values that are shown of a sensitive column."""


@dataclass(frozen=True)
class Learnt:
    """The values of a sensitive column among the records that remain."""

    column: str
    n_values: int
    likeliest: tuple[tuple[str, float], ...]
    """Values with their share, the largest first: confidential."""

    @property
    def certain(self) -> bool:
        """Whether all records that remain have the same value."""
        return self.n_values == 1


@dataclass(frozen=True)
class Found:
    """The records of a table that match everything that is known."""

    title: str
    n_left: int
    n_records: int
    learnt: tuple[Learnt, ...]


def find(
    title: str,
    frame: pl.DataFrame,
    known: Mapping[str, str],
    sensitive: Sequence[str],
    beside: Mapping[str, pl.Series] | None = None,
) -> Found:
    """Compare what is known with every record of a table.

    A blank may be anything, a range or a set what lies in it. ``beside`` has the original column
    of each row, where rows are known: what a value became there counts as its label, whatever the
    label is called, since whoever looks for somebody may know the classification.
    """
    rows = np.arange(frame.height)
    for column in sorted((name for name in known if name in frame.columns), key=_cost(frame)):
        value = known[column].strip()
        if value:
            seen = _became(frame[column], value, (beside or {}).get(column))
            left = frame[column] if len(rows) == frame.height else frame[column][rows]
            rows = rows[_fits(left, seen)]
    chosen = frame[rows]
    learnt = [_learn(chosen[name]) for name in sensitive if name in frame.columns]
    return Found(title, chosen.height, frame.height, tuple(learnt) if chosen.height else ())


def _cost(frame: pl.DataFrame) -> Callable[[str], int]:
    """Columns with few values first: they leave few records for the others to be compared with."""
    return lambda name: (
        (1 if frame.schema[name].is_integer() else 2) * int(frame.schema[name].is_numeric())
    )


class _Seen(NamedTuple):
    """What is known, typed as the column has it, and the labels it became."""

    known: pl.Series
    labels: pl.Series


def _became(column: pl.Series, value: str, original: pl.Series | None) -> _Seen:
    if original is None or (original.dtype == column.dtype and original.equals(column)):
        return _Seen(_parse_value(value, column), column.clear())
    known = _parse_value(value, original)
    if original.dtype.is_numeric():
        same = original == known[0]
    else:
        same = as_text(original).cast(pl.String) == as_text(known).cast(pl.String)[0]
    return _Seen(known, column.filter(same.fill_null(value=False)).drop_nulls().unique())


def _fits(column: pl.Series, seen: _Seen) -> Flags:
    """Where a column may hold what is known: overlapping values, known labels, missing cells."""
    distinct = column.unique().drop_nulls()
    fits = overlaps(seen.known, distinct)[0] if len(distinct) else np.zeros(0, dtype=np.bool_)
    meant = pl.concat([distinct.filter(pl.Series(fits, dtype=pl.Boolean)), seen.labels]).unique()
    found = column.is_in(meant.implode()) | column.is_null()
    return found.fill_null(value=True).to_numpy()


def _parse_value(value: str, like: pl.Series) -> pl.Series:
    """What was typed, as the column has it."""
    if like.dtype.is_numeric():
        try:
            return pl.Series([float(value.replace(",", "."))])
        except ValueError:
            raise InputError(
                Message(
                    "app.column_holds_numbers_type",
                    "Column '{column}' holds numbers: type a number.",
                    column=like.name,
                )
            ) from None
    return pl.Series([value])


def _learn(column: pl.Series) -> Learnt:
    counted = categories(column)
    total = max(sum(count for _, count in counted), 1)
    likeliest = tuple((value, count / total) for value, count in counted[:MOST_LEARNT])
    return Learnt(column.name, len(counted), likeliest)
