"""An attack of the tests' own: linear programming over the inner cells of a published table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
from scipy import optimize

Belongs = Callable[[int, str, str], bool]
"""Whether a leaf of a variable belongs to a code: (variable, code, leaf)."""


def flat(_: int, code: str, leaf: str) -> bool:
    """Codes without a hierarchy."""
    return code in ("Total", leaf)


def interval(
    inner: Sequence[tuple[str, ...]],
    table: pl.DataFrame,
    wanted: tuple[str, ...],
    belongs: Belongs = flat,
) -> tuple[float, float]:
    """What the published cells say of one: the least and the most it can be."""
    n = len(wanted)

    def row(codes: tuple[str, ...]) -> list[float]:
        return [float(all(belongs(at, codes[at], leaf[at]) for at in range(n))) for leaf in inner]

    published = table.drop_nulls("value")
    rows = [row(one[:n]) for one in published.iter_rows()]
    sides = published["value"].to_list()
    found = []
    for sign in (1.0, -1.0):
        answer = optimize.linprog(
            sign * np.array(row(wanted)), A_eq=rows or None, b_eq=sides or None
        )
        found.append(sign * answer.fun if answer.status == 0 else -sign * np.inf)
    return found[0], found[1]
