"""Distinct rows of some columns as codes, the input of searches over sets of columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.tables.codes import Codes, encode, number_codes, pack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from microveil.tables import Table

SPREAD = 4
"""Codes are renumbered by counting up to this many possible codes per row."""


class DistinctRows(NamedTuple):
    """The combinations that occur, once for each person if the roles name an entity."""

    columns: tuple[str, ...]
    """In the order of the codes: columns with most values first, so that searches split by them
    last, while classes are still long."""
    codes: NDArray[np.int32]
    """(columns, rows), each column numbered from 0; −1 for missing if requested."""
    counts: NDArray[np.int64]
    """Number of records with the row."""
    owners: NDArray[np.int32]
    """The person of each row; −1 if several records have it and there is no entity."""
    of_record: NDArray[np.int64]
    """Row of each record."""
    examples: NDArray[np.int64]
    """Position of one record of each row."""


def searched_columns(table: Table, columns: Sequence[str], measure: str) -> tuple[str, ...]:
    """The columns named by a measure, or the quasi-identifiers; each once, and at least one."""
    chosen = tuple(dict.fromkeys(columns or table.roles.quasi_identifiers))
    if not chosen:
        raise InputError(
            "Measure '{measure}' has no columns to combine. Name quasi_identifiers in the "
            "roles, or its `columns`.",
            measure=measure,
        )
    table.require(chosen)
    return chosen


def distinct_rows(
    table: Table, columns: Sequence[str], *, missing_apart: bool = False, by_person: bool = False
) -> DistinctRows:
    """Reduce a table to its distinct rows; missing is a value unless kept apart as −1.

    ``by_person`` keeps rows of different people apart, if the table has an entity. Takes the time
    of sorting one number per record.
    """
    frame = table.frame
    people = table.people if by_person else None
    packed = pack(frame, columns)
    if people is not None:
        n_people = int(people.max(initial=0)) + 1
        numbered_rows = number_codes(packed)
        packed = Codes(
            numbered_rows.of_record * n_people + people, len(numbered_rows.codes) * n_people
        )
    _, examples, of_record, counts = number_codes(packed)
    shown = frame.select(columns)[examples]
    numbered = {name: _numbers(shown[name], missing_apart=missing_apart) for name in columns}
    order = sorted(numbered, key=lambda name: -int(numbered[name].max(initial=-1)))
    codes = np.array([numbered[name] for name in order], dtype=np.int32)
    if people is None:
        owners = np.where(counts > 1, -1, np.arange(len(counts))).astype(np.int32)
    else:
        owners = np.unique(people[examples], return_inverse=True)[1].astype(np.int32)
    return DistinctRows(tuple(order), codes, counts, owners, of_record, examples)


def _numbers(series: pl.Series, *, missing_apart: bool) -> NDArray[np.int32]:
    """Numbers from 0 without gaps, equal for equal values."""
    missing = series.is_null().to_numpy()
    if missing_apart and missing.any():
        numbers = np.full(len(series), -1, dtype=np.int32)
        numbers[~missing] = _closed_up(encode(series.drop_nulls()))
        return numbers
    return _closed_up(encode(series))


def _closed_up(codes: Codes) -> NDArray[np.int32]:
    if codes.radix > max(SPREAD * len(codes.values), 1):
        return np.unique(codes.values, return_inverse=True)[1].astype(np.int32)
    occurs = np.zeros(codes.radix, dtype=np.bool_)
    occurs[codes.values] = True
    numbers: NDArray[np.int32] = (np.cumsum(occurs, dtype=np.int32) - 1)[codes.values]
    return numbers
