"""Every method with every role, on every engine: what is run, and what must be the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

import microveil as mv
from tests.conformance.cases import FITTING, METHODS

N = 120
"""Records of the table; enough for classes, households and strata of some size."""
ROLES: Mapping[str, dict[str, Any]] = {
    "plain": {},
    "weight": {"weight": "weight"},
    "strata": {"strata": ["region"]},
    "household": {"household": "home"},
    "entity": {"entity": "person"},
    "scenarios": {"scenarios": {"press": ["sex", "region"]}},
}
SEVERAL_TABLES = ("decompose",)
"""Methods that make several tables."""


def people(n: int = N) -> pl.DataFrame:
    """People in homes and regions, several rows each for some; one column of each kind."""
    rng = np.random.default_rng(11)
    person = np.sort(rng.integers(0, n * 2 // 3, n))
    home = person // 3
    first = np.datetime64("2020-01-01")
    return pl.DataFrame(
        {
            "sex": np.array(["f", "m"])[person % 2],
            "age": (20 + 5 * (person % 9)).astype(np.int64),
            "x": rng.integers(0, 40, n),
            "text": np.array(["a b", "a c", "b c", "b"])[rng.integers(0, 4, n)],
            "day": first + rng.integers(0, 300, n).astype("timedelta64[D]"),
            "region": np.array(["north", "south"])[home % 2],
            "weight": np.round(rng.uniform(1, 3, n), 2),
            "home": home.astype(np.int64),
            "person": person.astype(np.int64),
        }
    )


def recipe(method: str, roles: str) -> mv.Recipe:
    """A recipe of one step on the column that suits it, with one kind of role."""
    column = {"dates": "day", "strings": "text"}.get(FITTING.get(method, ""), "x")
    step = METHODS[method](column)
    named = mv.Roles(quasi_identifiers=["sex", "age"], **ROLES[roles])
    return mv.Recipe(roles=named, steps=[step], keep=["home", "person"], undeclared="keep")
