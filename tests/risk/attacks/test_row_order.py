"""The same release in another row order is attacked with the same result."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.risk.attacks.base import AttackMeasure

ATTACKS: list[AttackMeasure] = [
    mv.SinglingOut(n_attacks=60),
    mv.SinglingOut(n_attacks=60, mode="univariate"),
    mv.Linkability(n_attacks=60),
    mv.Inference(n_attacks=60),
    mv.Membership(n_attacks=60),
    mv.NearestNeighbourRatio(n_attacks=60),
]


def people(seed: int, n: int = 200) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 80, n),
            "pay": rng.normal(3000, 500, n).round(),
            "town": rng.choice(["a", "b", "c"], n),
            "ill": rng.choice(["x", "y"], n),
        }
    )


@pytest.mark.parametrize("control", [None, people(9, 100)], ids=["alone", "control"])
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda one: one.kind())
@pytest.mark.parametrize("labels", [False, True])
def test_row_order_changes_no_attack(
    attack: AttackMeasure,
    control: pl.DataFrame | None,
    labels: bool,  # noqa: FBT001  a case
) -> None:
    before = people(1)
    after = before.with_columns(pl.col("pay") + 10)
    if labels:
        decade = (pl.col("age") // 10 * 10).cast(pl.String)
        after = after.with_columns(age=pl.format("[{}, {})", decade, decade.cast(pl.Int64) + 10))
    shuffled = after.sample(fraction=1, shuffle=True, seed=5)
    roles = mv.Roles(quasi_identifiers=["age", "town"], sensitive=["ill"])
    one = attack.measure(before, after, roles=roles, control=control, aligned=False)
    other = attack.measure(before, shuffled, roles=roles, control=control, aligned=False)
    assert other.value == pytest.approx(one.value)
    assert other.interval == pytest.approx(one.interval)
