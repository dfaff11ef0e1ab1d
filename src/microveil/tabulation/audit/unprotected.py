"""Tables as they are: which of their cells would give somebody away if nothing were done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from microveil.tables import Roles, as_table
from microveil.tabulation.building import build_cells
from microveil.tabulation.rules import PrimaryRule, Threshold
from microveil.tabulation.tables import ProtectedFamily, ProtectedTables, merge_judgements
from microveil.tabulation.tabulation import Tabulation


def judge_unprotected(
    data: Any,
    tabulations: Sequence[Tabulation],
    *,
    roles: Roles | None = None,
    rules: Sequence[PrimaryRule] = (),
) -> ProtectedTables:
    """The tables without any protection: every unsafe cell counts as disclosed.

    Nothing of them can be published while there is one.

    >>> made = judge_unprotected({"sex": ["f", "f", "f", "m"]}, [Tabulation(by=["sex"])])
    >>> made.facts[0]["n_unsafe"], made.holds
    (1, False)
    """
    chosen = tuple(rules) or (Threshold(),)
    table = as_table(data, roles)
    empty = any(rule.looks_at_empty for rule in chosen)
    made = []
    for cells in build_cells([table] * len(tabulations), tabulations, empty=empty):
        judged = merge_judgements([rule.find(cells) for rule in chosen])
        disclosed = np.flatnonzero(judged.unsafe)
        made.append(ProtectedFamily(cells, judged, cells.values, disclosed=disclosed))
    return ProtectedTables(tuple(made), chosen, None)
