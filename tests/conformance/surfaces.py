"""A small table under every combination of roles, and its numbers recounted by the verifier."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, get_args

import numpy as np
import polars as pl

import microveil as mv
from microveil.tables import Missing
from tests.verifier.seen import Seen, plain_rows
from tests.verifier.standing import recounted

ACCEPTABLE = 10
"""Acceptable k of a table of this size."""
KEYS = ("age", "sex", "job")
OFFICE = ("job", "sex")


def visits(n: int = 120) -> pl.DataFrame:
    """Several rows per person and household, with gaps in the keys, and weights."""
    rng = np.random.default_rng(5)
    person = np.sort(rng.integers(0, n // 3, n))
    draws = {"age": 3, "sex": 2, "job": 2, "home": 8, "gap": 20}
    own = {name: rng.integers(0, most, n)[person] for name, most in draws.items()}
    age = [
        None if gap == 0 else 30 + 10 * int(a)
        for gap, a in zip(own["gap"], own["age"], strict=True)
    ]
    moved = rng.random(n)
    job = [
        None if one < 0.03 else "c" if one < 0.06 else "ab"[a]
        for one, a in zip(moved, own["job"], strict=True)
    ]
    return pl.DataFrame(
        {
            "person": [f"p{i}" for i in person],
            "home": [f"h{i}" for i in own["home"]],
            "age": age,
            "sex": ["fm"[i] for i in own["sex"]],
            "job": job,
            "weight": np.round(rng.uniform(1, 9, n), 1),
            "ill": rng.choice(["flu", "cold", "ulcer"], n),
        }
    )


@dataclass(frozen=True)
class Setting:
    """One combination of roles and treatments."""

    entity: bool
    shown: bool
    """Whether the entity column is released."""
    missing: Missing
    weight: bool
    household: bool
    scenario: bool

    @property
    def recipe(self) -> mv.Recipe:
        """A recipe that removes some records, under these roles."""
        roles: dict[str, Any] = {"quasi_identifiers": KEYS, "sensitive": ("ill",)}
        roles |= {"entity": "person"} if self.entity else {}
        roles |= {"weight": "weight"} if self.weight else {}
        roles |= {"household": "home"} if self.household else {}
        roles |= {"scenarios": {"office": OFFICE}} if self.scenario else {}
        stays = {"home": self.household, "weight": self.weight, "person": self.shown}
        gone = [name for name, there in stays.items() if not there]
        kept = [name for name in ("person", "home") if name not in gone]
        steps: list[Any] = [mv.Drop(columns=gone)] if gone else []
        return mv.Recipe(
            roles=mv.Roles(**roles),
            steps=[*steps, mv.SuppressRecords(k=2)],
            require=[mv.KAnonymity(k=2)],
            missing=self.missing,
            keep=kept,
        )

    @property
    def name(self) -> str:
        """What tells it from the others."""
        parts = {
            "people": self.entity,
            "hidden": not self.shown,
            self.missing: True,
            "weight": self.weight,
            "household": self.household,
            "scenario": self.scenario,
        }
        return "-".join(name for name, there in parts.items() if there)


def settings() -> Iterator[Setting]:
    """Every combination; an entity that is hidden only where there is one."""
    both, readings = (False, True), get_args(Missing)
    for people, missing, weight, household, scenario in product(both, readings, both, both, both):
        yield Setting(people, True, missing, weight, household, scenario)
        if people:
            yield Setting(people, False, missing, weight, household, scenario)


def fewer() -> list[Setting]:
    """The combinations that count differently, for surfaces that take longer."""
    return [one for one in settings() if one.weight and one.household and one.scenario]


def recount(
    recipe: mv.Recipe, frame: pl.DataFrame, rows: Any = None, released: pl.DataFrame | None = None
) -> dict[str | None, dict[str, Any]]:
    """The numbers of each set of keys, of the original or of what was released of it."""
    shown = frame if released is None else released
    entity = recipe.roles.entity
    people = None
    if entity is not None:
        of_row = frame[entity] if rows is None else frame[entity][rows]
        people = of_row.to_list()
    cells = plain_rows(shown)
    linked = entity is not None and entity in shown.columns
    sets: dict[str | None, tuple[str, ...]] = {None: recipe.roles.quasi_identifiers}
    return {
        name: recounted(Seen(cells, keys, recipe.missing == "wildcard", people, linked), ACCEPTABLE)
        for name, keys in (sets | dict(recipe.roles.scenarios)).items()
    }
