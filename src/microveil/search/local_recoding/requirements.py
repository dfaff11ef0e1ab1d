"""Local recoding beyond k: improve classes that satisfy the models without violating them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microveil.arrays import Ints, Longs
from microveil.search.local_recoding.mend import N_ORDERS
from microveil.search.local_recoding.orders import orders_by_likeness
from microveil.search.local_recoding.search import Effort
from microveil.search.local_recoding.space import RecodingSpace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microveil.kernels.lattice.rules import Rules
    from microveil.search.lattice.space import SensitiveColumn

MOST_CELLS = 2**23
"""Largest number of classes × sensitive values to count; a larger table is left as it is."""
SPARE = 4
"""How many times k equal records may be separated; the rest of them stay together."""


def can_improve(space: RecodingSpace, rules: Rules, k: int) -> bool:
    """Whether rules judge classes one by one, and their values are few enough to count."""
    from microveil.kernels.lattice.rules import AVERAGE

    n_cells = space.n_records // k * len(rules.totals)
    return len(rules.totals) > 0 and bool((rules.kind < AVERAGE).all()) and n_cells <= MOST_CELLS


def improve(
    space: RecodingSpace,
    labels: Ints,
    sensitive: Sequence[SensitiveColumn],
    rules: Rules,
    effort: Effort,
    rng: np.random.Generator,
) -> Ints:
    """Improve classes that have k records and satisfy the rules; return the class of each record.

    Records move, swap and form new classes as in :func:`recode`, provided that all classes they
    leave or join satisfy the rules.
    """
    from microveil.kernels.recoding.anneal import Aim, anneal_recoding
    from microveil.kernels.recoding.classes import Parts

    k = max(effort.k, rules.least)
    values = np.stack([column.codes + np.int32(column.first) for column in sensitive], axis=1)
    part_of_record = _parts(space, labels, values, SPARE * k)
    n_parts = int(part_of_record.max()) + 1
    example = np.empty(n_parts, dtype=np.int64)
    example[part_of_record] = np.arange(space.n_records)
    codes = np.ascontiguousarray(space.codes[space.row_of_record[example]])
    weights = np.bincount(part_of_record)
    classes, _ = anneal_recoding(
        Parts(codes, weights, np.ascontiguousarray(values[example])),
        labels[example],
        space.trees,
        orders_by_likeness(codes, space, N_ORDERS, rng),
        rng.integers(0, 2**63, size=1, dtype=np.uint64),
        Aim(k, effort.steps_for(n_parts) if n_parts > 1 else 0, 0, 1.0),
        rules,
    )
    return np.unique(classes, return_inverse=True)[1].astype(np.int32)[part_of_record]


def _parts(space: RecodingSpace, labels: Ints, values: Ints, spare: int) -> Longs:
    """Part of each record: one for most of the equal records, one for each of the rest."""
    order = np.lexsort((*values.T, labels, space.row_of_record))
    alike = np.ones(len(order), dtype=np.bool_)
    for column in (space.row_of_record, labels, *values.T):
        alike[1:] &= column[order[1:]] == column[order[:-1]]
    alike[0] = False
    begins = np.flatnonzero(~alike)
    sizes = np.diff(np.append(begins, len(order)))
    place = np.arange(len(order)) - np.repeat(begins, sizes)
    together = np.repeat(np.where(sizes >= 2 * spare, sizes - spare, 0), sizes)
    # Each record starts a part, except those that stay with the one before.
    starts = (place == 0) | (place >= together)
    part = np.empty(len(order), dtype=np.int64)
    part[order] = np.cumsum(starts) - 1
    return part
