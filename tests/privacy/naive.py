"""Privacy models by plain counting, written apart from the package: slow, short, and literal."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations

import numpy as np
import polars as pl
from hypothesis import strategies as st

from microveil.privacy.parts.sensitive import SensitiveModel
from microveil.tables import Classes, Missing, Roles, Table

Row = tuple[Hashable, ...]
KEYS = ("a", "b")
ROLES = Roles(quasi_identifiers=KEYS, sensitive=("s",))

_key = st.tuples(st.sampled_from([0, 1, 2, 3, None]), st.sampled_from([0, 1, None]))
_value = st.sampled_from([10, 20, 30, 35, None])


@st.composite
def _rows(draw: st.DrawFn) -> list[Row]:
    """Half of the tables of classes of several records, the others as they come."""
    if draw(st.booleans()):
        keys = draw(st.lists(_key, min_size=1, max_size=5, unique=True))
        held = [draw(st.lists(_value, min_size=2, max_size=8)) for _ in keys]
        return [(*key, value) for key, values in zip(keys, held, strict=True) for value in values]
    some = draw(st.lists(st.tuples(_key, _value), min_size=1, max_size=24))
    return [(*key, value) for key, value in some]


rows = _rows()
"""Small tables of two keys and a sensitive value, with gaps."""


def frame_of(table: Sequence[Row]) -> pl.DataFrame:
    schema = {"a": pl.Int64, "b": pl.Int64, "s": pl.Int64}
    return pl.DataFrame(list(table), schema=schema, orient="row")


def classes_of(table: Sequence[Row], missing: Missing = "category") -> Classes:
    return Classes.of(Table(frame_of(table), ROLES), missing=missing)


def groups(table: Sequence[Row]) -> dict[Row, list[Hashable]]:
    """Sensitive values by keys."""
    found: dict[Row, list[Hashable]] = defaultdict(list)
    for *keys, value in table:
        found[tuple(keys)].append(value)
    return dict(found)


def counts_for(other: Row, one: Row) -> bool:
    """Whether one cannot be told from the other, by sdcMicro's rule for missing keys."""
    if len(one) > 1 and None not in one and set(other) == {None}:
        return False  # who shows no key at all vouches for nobody who shows every key
    return all(x is None or y is None or x == y for x, y in zip(one, other, strict=True))


def matching(table: Sequence[Row]) -> dict[Row, list[Hashable]]:
    """Sensitive values of all records that may be the same person, missing keys unknown."""

    return {
        keys: [row[-1] for row in table if counts_for(row[:-1], keys)] for keys in groups(table)
    }


def known(values: Sequence[Hashable]) -> list[Hashable]:
    """The values without gaps; those of a class that has nothing else."""
    return [value for value in values if value is not None] or list(values)


def reached(model: SensitiveModel, classes: Classes) -> dict[Row, float]:
    """What a model of sensitive values reaches in each class, by its keys."""
    verdict = model._judge_column(classes, "s")
    return dict(zip(classes.keys.rows(), verdict.reached.tolist(), strict=True))


def entropy_l(values: Sequence[Hashable]) -> float:
    shares = [count / len(values) for count in Counter(values).values()]
    return math.exp(-math.fsum(share * math.log(share) for share in shares))


def recursive_holds(values: Sequence[Hashable], c: float, rank: int) -> bool:
    counts = sorted(Counter(values).values(), reverse=True)
    return counts[0] < c * sum(counts[rank - 1 :])


def shares(values: Sequence[Hashable], domain: Sequence[Hashable]) -> list[float]:
    counts = Counter(values)
    return [counts[value] / len(values) for value in domain]


def transport(
    values: Sequence[Hashable],
    table: Sequence[Hashable],
    domain: Sequence[Hashable],
    distance: Callable[[int, int], float],
) -> float:
    """Earth mover's distance as the linear programme that defines it."""
    from scipy.optimize import linprog

    m = len(domain)
    cost = [distance(i, j) for i in range(m) for j in range(m)]
    leaving = np.zeros((m, m * m))
    coming = np.zeros((m, m * m))
    for i in range(m):
        leaving[i, i * m : (i + 1) * m] = 1
        coming[i, i::m] = 1
    solved = linprog(
        cost,
        A_eq=np.vstack([leaving, coming]),
        b_eq=[*shares(values, domain), *shares(table, domain)],
        bounds=(0, None),
    )
    return float(solved.fun)


def domain_of(table: Sequence[Row]) -> list[Hashable]:
    """The sensitive values in their order, missing last."""
    found = {row[-1] for row in table}
    known = sorted(value for value in found if isinstance(value, int))
    return [*known, *([None] if None in found else [])]


def itemsets(record: Sequence[Hashable], m: int) -> Iterator[frozenset[Hashable]]:
    for size in range(1, m + 1):
        yield from (frozenset(found) for found in combinations(sorted(set(record), key=str), size))
