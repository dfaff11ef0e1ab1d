from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.risk.population.uniques.people_sets import bits_of, sets_of


def test_sets_of_columns_are_all_of_them_smaller_ones_first() -> None:
    assert sets_of(3, 2) == [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    assert bits_of((0, 2)) == 5


@pytest.mark.parametrize("seed", range(4))
def test_people_are_compared_with_each_other_and_never_with_themselves(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame({name: rng.integers(0, 3, 18) for name in ("a", "b", "c")})
    frame = frame.with_columns(person=pl.Series(rng.integers(0, 7, 18)))
    roles = mv.Roles(quasi_identifiers=["a", "b", "c"], entity="person")
    score = mv.KeySeparation().measure(pl.concat([frame, frame]), roles=roles)
    for names, n_classes, separation, unique_share in (
        score.frames["sets"]
        .select("columns", "n_classes", "separation", "unique_share")
        .iter_rows()
    ):
        has = {(row["person"], tuple(row[name] for name in names)) for row in frame.to_dicts()}
        pairs = [(x, y) for x, y in combinations(has, 2) if x[0] != y[0]]
        alone = [x for x in has if not any(x[1] == y[1] and x[0] != y[0] for y in has)]
        assert n_classes == len({cells for _, cells in has})
        assert separation == pytest.approx(sum(x[1] != y[1] for x, y in pairs) / len(pairs))
        assert unique_share == pytest.approx(len(alone) / len(has))
