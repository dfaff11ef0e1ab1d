"""Recipes and people that tests of fitting share."""

from __future__ import annotations

import numpy as np
import polars as pl

import microveil as mv

ROLES = "roles: {quasi_identifiers: [age, sex, town]}\nrequire: [{model: k_anonymity, k: 3}]\n"
TREE = "{tree: {north: [Oslo, Turku], south: [Rome, Bari]}}"
HIERARCHIES = f"{{age: {{hierarchy: intervals, width: [10, 20]}}, town: {TREE}}}"
STEPS = {
    "mondrian": "{method: mondrian, k: 3}",
    "nodes": f"{{method: mondrian, k: 3, hierarchies: {{town: {TREE}}}}}",
    "local_recoding": f"{{method: local_recoding, k: 3, hierarchies: {HIERARCHIES}}}",
    "optimal_generalization": f"{{method: optimal_generalization, hierarchies: {HIERARCHIES}, "
    "suppression_share: 0.1}",
    "incognito": f"{{method: incognito, hierarchies: {HIERARCHIES}, suppression_share: 0.1}}",
    "datafly": f"{{method: datafly, k: 3, hierarchies: {HIERARCHIES}}}",
}


def people(n: int, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 60, n),
            "sex": rng.choice(["f", "m"], n),
            "town": rng.choice(["Oslo", "Turku", "Rome", "Bari"], n),
            "income": rng.integers(1_000, 9_000, n),
        }
    )


def recipe(steps: str, more: str = "undeclared: keep") -> mv.Recipe:
    return mv.Recipe.from_yaml(f"{ROLES}steps: [{steps}]\n{more}")
