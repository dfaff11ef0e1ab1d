"""Trust map: which relations between columns a synthetic table preserves, and how well."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, TypeAlias

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs
from microveil.errors import InputError
from microveil.statistics.quantile_groups import quantile_groups
from microveil.tables import Table
from microveil.tables.kinds import numbers_of

Status: TypeAlias = Literal["modelled", "implied", "lost"]
"""Modelled: the generator modelled the two columns jointly. Implied: it did not, and the relation
follows from others. Lost: less than half of the relation is left."""

GROUPS = 10
"""Numbers are compared in about so many groups of equal size."""
MOST_VALUES = 50
"""Rarer categories than the most frequent so many count as one."""
FAINT = 0.01
"""A relation that shows in fewer than one record in a hundred cannot be lost."""


@dataclass(frozen=True)
class Relation:
    """Two columns of a synthetic table."""

    first: str
    second: str
    status: Status
    dependence: float
    """Share of records that distinguish the pair from independence, in the synthetic table."""
    error: float
    """Share of records that would have to change for the pair's table to be right."""
    basis: str
    """Where the error comes from."""


@dataclass(frozen=True)
class TrustMap:
    """All pairs of columns of a synthetic table."""

    columns: tuple[str, ...]
    relations: tuple[Relation, ...]
    private: bool
    """Whether it is free: made from noisy answers alone, without the original."""

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> TrustMap:
        """Read what :meth:`to_dict` wrote, as the facts of a release hold it."""
        relations = tuple(Relation(**one) for one in plain["relations"])
        return cls(tuple(plain["columns"]), relations, bool(plain["private"]))

    @property
    def frame(self) -> pl.DataFrame:
        """One row per pair, the largest error first."""
        schema = ["first", "second", "status", "dependence", "error", "basis"]
        rows = [
            (one.first, one.second, one.status, one.dependence, one.error, one.basis)
            for one in self.relations
        ]
        return pl.DataFrame(rows, schema=schema, orient="row").sort("error", descending=True)

    def counts(self) -> dict[str, int]:
        """Number of relations of each status."""
        found = {"modelled": 0, "implied": 0, "lost": 0}
        for one in self.relations:
            found[one.status] += 1
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain data: columns and numbers, no cell values."""
        return {
            "columns": list(self.columns),
            "private": self.private,
            "counts": self.counts(),
            "relations": self.frame.to_dicts(),
        }


def trust_map(original: Any, synthetic: Any, modelled: Iterable[Sequence[str]] = ()) -> TrustMap:
    """Compare each pair of columns of a synthetic table with the original.

    ``modelled`` names the sets of columns that the generator modelled jointly. Numbers are compared
    in groups; the difference expected between two samples of the same people is subtracted from the
    error. The original is read: for a table with differential privacy ask the fitted model instead.

    >>> people = {"sex": ["f", "f", "m", "m"] * 50, "pay": [1, 2, 3, 4] * 50}
    >>> mixed = {"sex": ["f", "m", "m", "f"] * 50, "pay": [1, 2, 3, 4] * 50}
    >>> [one.status for one in trust_map(people, mixed).relations]
    ['lost']
    """
    before, after = _frame(original), _frame(synthetic)
    columns = tuple(name for name in before.columns if name in after.columns)
    if len(columns) < 2:  # noqa: PLR2004  a relation has two ends
        raise InputError("A trust map needs two columns that both tables have.")
    if not before.height or not after.height:
        raise InputError("A trust map needs records in both tables.")
    coded = {name: _encode(before[name], after[name]) for name in columns}
    seen = {frozenset(pair) for one in modelled for pair in combinations(one, 2)}
    relations = tuple(
        _compare((first, second), coded[first], coded[second], frozenset((first, second)) in seen)
        for first, second in combinations(columns, 2)
    )
    return TrustMap(columns, relations, private=False)


def _frame(data: Any) -> pl.DataFrame:
    return data.frame if isinstance(data, Table) else Table(data).frame


@dataclass(frozen=True, eq=False)
class _Coded:
    """A column of both tables in common groups."""

    before: Longs
    after: Longs
    size: int


def _encode(before: pl.Series, after: pl.Series) -> _Coded:
    if before.dtype.is_numeric() or before.dtype.is_temporal():
        return _Coded(*quantile_groups(numbers_of(before), numbers_of(after), GROUPS))
    # A column may have any name, those used here among them.
    old, new = before.cast(pl.String).alias("value"), after.cast(pl.String)
    # Missing is a value; rare values and ones that the original does not have share the last code.
    frequent = old.value_counts(sort=True, name="n")[:MOST_VALUES].with_row_index("code")
    rest = len(frequent)
    codes = [
        one.to_frame("value")
        .join(
            frequent,
            on="value",
            how="left",
            maintain_order="left",
            nulls_equal=True,
        )["code"]
        .fill_null(rest)
        .to_numpy()
        .astype(np.int64)
        for one in (old, new)
    ]
    return _Coded(codes[0], codes[1], rest + 1)


def _compare(names: tuple[str, str], first: _Coded, second: _Coded, seen: bool) -> Relation:  # noqa: FBT001
    cells = first.size * second.size
    before, after = (
        np.bincount(one * second.size + other, minlength=cells) / len(one)
        for one, other in ((first.before, second.before), (first.after, second.after))
    )
    chance = by_chance(before, len(first.before), len(first.after))
    error = max(half_distance(before, after) - chance, 0.0)
    shape = (first.size, second.size)
    was, is_now = dependence(before.reshape(shape)), dependence(after.reshape(shape))
    # Independent columns seem to depend a little in every sample.
    real = was - by_chance(before, len(first.before), len(first.before))
    lost = real > FAINT and (error > real / 2 or is_now < was / 2)
    status: Status = "lost" if lost else "modelled" if seen else "implied"
    return Relation(*names, status, is_now, error, "compared with the original")


def half_distance(first: Floats, second: Floats) -> float:
    """Half the sum of absolute differences: the share of records that would have to change."""
    return 0.5 * float(np.abs(first - second).sum())


def dependence(table: Floats) -> float:
    """Distance of a table of shares from that of independent columns.

    >>> dependence(np.array([[0.5, 0.0], [0.0, 0.5]]))
    0.5
    """
    alone = np.multiply.outer(table.sum(axis=1), table.sum(axis=0))
    return half_distance(table, alone)


def by_chance(shares: Floats, n_first: int, n_second: int) -> float:
    """Half distance to be expected of two samples of such records."""
    variance = shares * (1 - shares) * (1 / n_first + 1 / n_second)
    return 0.5 * float(np.sqrt(2 / np.pi * variance).sum())
