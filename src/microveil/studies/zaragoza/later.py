"""What the thesis leaves to future work: Incognito, the optimum, and local recoding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from microveil.methods import Incognito, LocalRecoding, Method, OptimalGeneralization
from microveil.studies.zaragoza.tables import DataSet

Maker = Callable[[int, list[str]], Method]

FEW = 0.01
"""Share of the records that may be removed: without, the last number alone forces all to `*`."""
STEPS = 1_000_000
"""Changes local recoding tries; more gain little on these tables and take minutes."""

LATER: Mapping[str, Maker] = {
    "Incognito": lambda k, keys: Incognito(k=k, columns=keys, suppression_share=FEW),
    "optimal": lambda k, keys: OptimalGeneralization(k=k, columns=keys, suppression_share=FEW),
    "local recoding": lambda k, keys: LocalRecoding(k=k, columns=keys, steps=STEPS),
}
"""With the hierarchies of types, as the thesis gives them to Datafly, and few records removed."""
WIDEST = 5
"""Columns beyond which Incognito's lattice has tens of millions of nodes."""
QUICK_RECORDS = 1_000
"""Records of the sets on which a quick run tries later algorithms."""


def left_out(name: str, data: DataSet, *, quick: bool) -> bool:
    """Whether a later algorithm is not run on a data set: it could not finish, or not quickly."""
    too_wide = name == "Incognito" and data.n_columns > WIDEST
    large = data.n_records > QUICK_RECORDS or data.n_columns > WIDEST
    return too_wide or (quick and (large or name == "local recoding"))


def adult_later(hierarchies: Mapping[str, Any]) -> Mapping[str, Maker]:
    """With ARX's hierarchies; the optimum may remove 5 % of the records."""
    return {
        "Incognito": lambda k, keys: Incognito(k=k, columns=keys, hierarchies=hierarchies),
        "optimal": lambda k, keys: OptimalGeneralization(
            k=k, columns=keys, hierarchies=hierarchies, suppression_share=0.05
        ),
        "local recoding": lambda k, keys: LocalRecoding(k=k, columns=keys, hierarchies=hierarchies),
    }
