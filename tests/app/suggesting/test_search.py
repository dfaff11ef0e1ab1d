from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl

import microveil as mv
from microveil.app.inspection import inspect
from microveil.app.suggesting.attempt import Attempt
from microveil.app.suggesting.search import Search, Space


def attempt(n: int, k: int) -> Attempt:
    rng = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "zip": [f"08{code:03d}" for code in rng.integers(0, 400, n)],
            "sex": rng.choice(["f", "m"], n),
        }
    )
    roles = mv.Roles(quasi_identifiers=["age", "zip", "sex"])
    return Attempt(frame, roles, inspect(frame), k)


def test_the_search_comes_close_to_trying_everything() -> None:
    made = attempt(600, 5)
    space = Space(made.ladders, made.k)
    everything = product(*(range(len(ladder.rungs)) for ladder in made.ladders))
    best = min(made.trial(rungs) for rungs in everything)
    search = Search(space, made.trial)
    assert search.tried == {}
    assert made.trial(search.best()[0]) <= 1.1 * best


def test_records_at_risk_are_counted_as_people() -> None:
    made = attempt(200, 2)
    lowest = tuple(0 for _ in made.ladders)
    alone = Space(made.ladders, 2, np.arange(200)).at_risk(lowest)
    assert alone == Space(made.ladders, 2).at_risk(lowest)
    assert Space(made.ladders, 2, np.zeros(200, dtype=np.int64)).at_risk(lowest) == 1.0


def test_neighbours_stay_on_the_ladders() -> None:
    made = attempt(100, 3)
    space = Space(made.ladders, 3)
    for rungs in space.steps(tuple(0 for _ in made.ladders)):
        assert all(
            0 <= rung < len(one.rungs) for rung, one in zip(rungs, made.ladders, strict=True)
        )
