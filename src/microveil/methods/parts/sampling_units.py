"""Sampling units: a record, or all records of a household or person."""

from __future__ import annotations

import numpy as np

from microveil.arrays import Longs
from microveil.methods.parts.households import by_first, number_ids
from microveil.tables import Table


def sampling_units(table: Table, *, whole: bool) -> Longs:
    """Number of each record's unit, in order of first occurrence.

    Records of one household, or of one entity, form one unit; so do households that share a person.
    A record without an id is a unit of its own.

    >>> from microveil.tables import Roles
    >>> table = Table({"h": [7, 5, 7, None, None]}, Roles(household="h"))
    >>> sampling_units(table, whole=True).tolist()
    [0, 1, 0, 2, 3]
    """
    roles = (table.roles.household, table.roles.entity)
    names = list(dict.fromkeys(name for name in roles if name)) if whole else []
    if not names:
        return np.arange(table.height)
    ids = [number_ids(table.frame[name]) for name in names]
    return ids[0] if len(ids) == 1 else by_first(_connect(ids[0], ids[1]))


def _connect(first: Longs, second: Longs) -> Longs:
    """Numbers of the sets of records connected by chains of equal ids."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n, n_first = len(first), int(first.max(initial=0)) + 1
    nodes = n_first + int(second.max(initial=0)) + 1
    links = coo_array((np.ones(n), (first, second + n_first)), shape=(nodes, nodes))
    labels = connected_components(links, directed=False)[1]
    return np.asarray(labels[first], dtype=np.int64)
