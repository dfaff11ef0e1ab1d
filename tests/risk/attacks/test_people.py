"""A person's rows are one target, however often and in whatever order they stand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.pairs.reading import Reading
from microveil.risk.attacks.people import Scene, released_targets
from microveil.tables import Table
from tests.risk.attacks.test_subsets import ATTACKS, N, people

ROLES = mv.Roles(quasi_identifiers=["age", "zip"], sensitive=["ill"], entity="id")


def frames() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """An original, a release with noise and labels, and a control."""
    frame = people().with_columns(id=np.arange(N))
    noise = pl.Series(np.random.default_rng(1).normal(0, 30, N))
    decade = pl.format("[{}, {})", pl.col("age") // 10 * 10, pl.col("age") // 10 * 10 + 10)
    released = frame.with_columns(age=decade, pay=pl.col("pay") + noise)
    return frame, released, people(9).with_columns(id=np.arange(N) + 1000)


@pytest.mark.parametrize("controlled", [False, True])
@pytest.mark.parametrize("n_attacks", [40, 2000])
@pytest.mark.parametrize("name", list(ATTACKS))
def test_rows_that_are_said_several_times_change_nothing(
    name: str, n_attacks: int, *, controlled: bool
) -> None:
    attack = ATTACKS[name].model_copy(update={"n_attacks": n_attacks})
    original, released, control = frames()
    once = attack.measure(
        original, released, roles=ROLES, control=control if controlled else None, aligned=True
    )
    order = np.random.default_rng(2).permutation(3 * N)
    original, released, control = (pl.concat([one] * 3)[order] for one in frames())
    often = attack.measure(
        original, released, roles=ROLES, control=control if controlled else None, aligned=True
    )
    assert often.value == pytest.approx(once.value, abs=1e-12)
    assert often.parts["n_attacks"] == once.parts["n_attacks"]
    if once.records is not None:
        assert often.records is not None
        assert often.records == pytest.approx(np.tile(once.records, 3)[order])


@pytest.mark.parametrize("name", list(ATTACKS))
def test_the_order_of_rows_changes_nothing(name: str) -> None:
    attack = ATTACKS[name].model_copy(update={"n_attacks": 40})
    original, released, _ = frames()
    straight = attack.measure(original, released, roles=ROLES, aligned=True)
    order = np.random.default_rng(3).permutation(N)
    mixed = attack.measure(original[order], released[order], roles=ROLES, aligned=True)
    assert mixed.value == pytest.approx(straight.value, abs=1e-12)


def test_a_person_is_as_exposed_as_the_worst_of_their_rows() -> None:
    table = Table({"id": [7, 7, 8], "x": [1, 2, 3]}, mv.Roles(entity="id"))
    scene = Scene.of(Reading.of(table, table), ["x"])
    rows = scene.targets("original", 10, np.random.default_rng(0))
    assert scene.n_people("original") == 2
    assert scene.by_person("original", np.array([0.2, 0.9, 0.5]), rows).tolist() == [0.9, 0.5]
    (row,) = scene.only(["x"]).targets("original", 1, np.random.default_rng(3)).tolist()[:1]
    assert row in (0, 2)
    assert len(released_targets(scene, 2, np.random.default_rng(0))) == 2


def test_two_rows_of_one_person_single_that_person_out() -> None:
    frame = {"id": [1, 1, 2, 2], "town": ["a", "a", "b", "b"], "day": [1, 2, 3, 4]}
    found = mv.SinglingOut(columns=["town"], mode="univariate").measure(
        frame, frame, roles=mv.Roles(entity="id")
    )
    assert found.parts["attack"]["rate"] == 1
    assert found.parts["n_people"] == 2
    rows = mv.SinglingOut(columns=["town"], mode="univariate").measure(frame, frame)
    assert rows.parts["n_attacks"] == 0
