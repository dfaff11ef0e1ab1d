"""The rows of each stratum, for steps that work within strata."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from microveil.arrays import Ints
from microveil.errors import ColumnError
from microveil.tables import Classes, Table


def strata_rows(table: Table, columns: Sequence[str], *, apart: bool) -> list[Ints]:
    """Positions of the rows of each of the roles' strata; all rows if there are none.

    >>> from microveil.tables import Roles
    >>> table = Table({"region": [1, 2, 1], "pay": [5, 6, 7]}, Roles(strata=["region"]))
    >>> [rows.tolist() for rows in strata_rows(table, ["pay"], apart=True)]
    [[0, 2], [1]]
    """
    strata = table.roles.strata if apart else ()
    constant = [name for name in columns if name in strata]
    if constant:
        raise ColumnError(
            "Column {constant:quoted} is one of the strata, and constant within each. Leave "
            "it out, or set by_strata to false.",
            constant=constant,
        )
    if not strata or not table.height:
        return [np.arange(table.height, dtype=np.int32)]
    classes = Classes.of(table, strata).by_row
    order = np.argsort(classes.record_class, kind="stable").astype(np.int32)
    return np.split(order, np.cumsum(classes.record_counts)[:-1])
