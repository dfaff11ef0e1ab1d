"""What is drawn as a whole: a record, or all records of a household or person."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.tables import Table

Longs = NDArray[np.int64]


def sampling_units(table: Table, *, whole: bool) -> Longs:
    """Number of each record's unit, in the order in which units first occur.

    Records of one household, or of one entity, are one unit; so are households that share a
    person. A record without an id belongs to nobody else.

    >>> from microveil.tables import Roles
    >>> table = Table({"h": [7, 5, 7, None, None]}, Roles(household="h"))
    >>> sampling_units(table, whole=True).tolist()
    [0, 1, 0, 2, 3]
    """
    roles = (table.roles.household, table.roles.entity)
    names = list(dict.fromkeys(name for name in roles if name)) if whole else []
    if not names:
        return np.arange(table.height)
    ids = [_ids(table.frame[name]) for name in names]
    return _by_first(ids[0] if len(ids) == 1 else _connected(ids[0], ids[1]))


def _ids(column: pl.Series) -> Longs:
    """A number for each id; one of its own for each missing id."""
    column = column.fill_nan(None) if column.dtype.is_float() else column
    codes = column.rank("dense").cast(pl.Int64).fill_null(0).to_numpy()
    alone = np.arange(len(codes)) + int(codes.max(initial=0)) + 1
    return np.where(codes == 0, alone, codes)


def _connected(first: Longs, second: Longs) -> Longs:
    """Numbers of the sets of records that chains of equal ids connect."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n, n_first = len(first), int(first.max(initial=0)) + 1
    nodes = n_first + int(second.max(initial=0)) + 1
    links = coo_array((np.ones(n), (first, second + n_first)), shape=(nodes, nodes))
    labels = connected_components(links, directed=False)[1]
    return np.asarray(labels[first], dtype=np.int64)


def _by_first(labels: Longs) -> Longs:
    _, first, index = np.unique(labels, return_index=True, return_inverse=True)
    place = np.empty(len(first), dtype=np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    return np.asarray(place[index.ravel()])
