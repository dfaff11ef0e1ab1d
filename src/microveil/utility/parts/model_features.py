"""Both tables as feature matrices for models."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs
from microveil.errors import InputError
from microveil.tables import Table
from microveil.tables.door import refuse_nested
from microveil.tables.kinds import finite_numbers, is_number
from microveil.tables.roles import check_columns
from microveil.tables.values import as_text
from microveil.utility.parts.key_columns import plain_columns

MOST_RECORDS = 20_000
"""Largest number of records per table that models are fitted to; larger tables are sampled."""
MOST_LEVELS = 20
"""Categories of a column with a feature of their own; rarer ones share one."""


class Features(NamedTuple):
    """Features of both tables, (records, features)."""

    names: list[str]
    before: Floats
    after: Floats


def usable_columns(
    original: Table, released: Table, columns: tuple[str, ...], measure: str
) -> tuple[str, ...]:
    """The named columns, or all common ones except identifiers, weights and the like."""
    if columns:
        for table in (original, released):
            check_columns(columns, table.columns)
            refuse_nested(table.frame, list(columns), measure)
        return columns
    roles = original.roles
    apart = {*roles.identifiers, roles.weight, roles.household, roles.entity}
    return tuple(name for name in plain_columns(original, released) if name not in apart)


def sample_rows(n_records: int, most: int = MOST_RECORDS) -> Longs:
    """Positions of a sample of records, always the same; all if there are few."""
    if n_records <= most:
        return np.arange(n_records)
    return np.sort(np.random.default_rng(0).choice(n_records, most, replace=False))


def features(before: pl.DataFrame, after: pl.DataFrame) -> Features:
    """Encode numbers in standard deviations of the original, categories as 0 and 1.

    A missing number is set to the mean and marked by a feature of its own. Columns that are
    constant over both tables are uninformative and left out.
    """
    names: list[str] = []
    sides: tuple[list[Floats], list[Floats]] = ([], [])
    for name in before.columns:
        build = (
            _numbers
            if is_number(before[name].dtype) and is_number(after[name].dtype)
            else _categories
        )
        for label, ours, theirs in build(before[name], after[name]):
            if len(ours) + len(theirs) and np.ptp(np.concatenate([ours, theirs])) > 0:
                names.append(f"{name}{label}")
                sides[0].append(ours)
                sides[1].append(theirs)
    return Features(names, _stack(sides[0], before.height), _stack(sides[1], after.height))


def _stack(columns: list[Floats], height: int) -> Floats:
    return np.column_stack(columns) if columns else np.zeros((height, 0))


def _numbers(before: pl.Series, after: pl.Series) -> list[tuple[str, Floats, Floats]]:
    sides = [finite_numbers(column) for column in (before, after)]
    there = sides[0][~np.isnan(sides[0])]
    centre = float(there.mean()) if len(there) else 0.0
    spread = float(there.std()) if len(there) else 0.0
    scaled = [(side - centre) / (spread if spread > 0 else 1.0) for side in sides]
    gaps = [np.isnan(side).astype(np.float64) for side in sides]
    filled = [np.where(np.isnan(side), 0.0, side) for side in scaled]
    return [("", filled[0], filled[1]), (" missing", gaps[0], gaps[1])]


def _categories(before: pl.Series, after: pl.Series) -> list[tuple[str, Floats, Floats]]:
    ours, theirs = (as_text(column).fill_null("\0") for column in (before, after))
    counted = (
        pl.concat([ours, theirs])
        .value_counts(name="n")
        .sort("n", ours.name, descending=[True, False])
    )
    levels = counted.get_column(ours.name)
    # The first category is the baseline, and the rarest are merged.
    places = [_places(side, levels) for side in (ours, theirs)]
    found = [
        (f" {number}", *((side == number).astype(np.float64) for side in places))
        for number in range(1, min(len(levels), MOST_LEVELS))
    ]
    if len(levels) > MOST_LEVELS:
        pair = [(side >= MOST_LEVELS).astype(np.float64) for side in places]
        found.append((" rare", pair[0], pair[1]))
    return found


def _places(side: pl.Series, levels: pl.Series) -> Longs:
    """Place of each cell among the categories."""
    known = pl.DataFrame({"level": levels}).with_row_index("place")
    found = pl.DataFrame({"level": side}).join(known, on="level", how="left", maintain_order="left")
    return found["place"].cast(pl.Int64).to_numpy()


def learning(module: str, what: str) -> Any:
    """A module of scikit-learn, or an error that says how to install it."""
    try:
        return import_module(f"sklearn.{module}")
    except ImportError:
        raise InputError(
            "{what} needs scikit-learn: install `microveil[models]`.", what=what
        ) from None
