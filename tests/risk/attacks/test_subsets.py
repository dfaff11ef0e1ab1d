"""What an intruder may ignore never makes a release look safer."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.risk.attacks.base import AttackMeasure
from microveil.risk.attacks.subsets import MOST_CELLS, wider, worst_by_columns
from microveil.scores import Score

ATTACKS: dict[str, AttackMeasure] = {
    "singling_out": mv.SinglingOut(n_attacks=300),
    "linkability": mv.Linkability(),
    "inference": mv.Inference(),
    "membership": mv.Membership(),
}
N = 150


def people(seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, N),
            "zip": rng.integers(0, 60, N),
            "pay": rng.normal(3000, 500, N).round(1),
            "ill": rng.choice(["a", "b", "c"], N),
        }
    )


def score(value: float) -> Score:
    return Score("attack", value, interval=(value - 0.1, value + 0.1))


def tried(values: dict[tuple[str, ...], float], n_pairs: int) -> tuple[Score, list[str]]:
    """The worst score of an attack on the columns a, b and c, and by which sets it was tried."""
    sets: list[str] = []

    def attack(columns: tuple[str, ...]) -> Score | None:
        sets.append("".join(columns))
        return score(values.get(columns, 0.2))

    return worst_by_columns("abc", ["c"], n_pairs, attack, 0.95), sets


def test_columns_are_left_out_only_where_that_is_affordable() -> None:
    assert set(tried({}, 10)[1]) == {"abc", "ab", "bc", "ac", "b", "a", "c"}
    assert tried({}, MOST_CELLS)[1] == ["abc", "ab"]


def test_the_worst_set_is_the_score_and_has_a_wider_interval() -> None:
    worst, sets = tried({("b",): 0.5, ("b", "c"): 0.3}, 10)
    assert worst.value == 0.5
    assert worst.parts["by_all_columns"] == 0.2
    assert worst.interval == pytest.approx(wider((0.4, 0.6), 0.5, len(sets), 0.95))
    alone, _ = tried({("a", "b", "c"): 0.5}, 10)
    assert alone.interval == (0.4, 0.6)


@pytest.mark.parametrize("name", list(ATTACKS))
@pytest.mark.parametrize("kind", ["constant", "random"])
def test_a_column_that_says_nothing_never_lowers_an_attack(name: str, kind: str) -> None:
    frame = people()
    rng = np.random.default_rng(5)
    released = frame.with_columns(pay=pl.col("pay") + pl.Series(rng.normal(0, 100, N)))
    more = [pl.Series("more", [1] * N if kind == "constant" else rng.permutation(N)) for _ in "ab"]
    attack = ATTACKS[name]
    before = attack.measure(frame, released, roles=roles("age", "zip"))
    after = attack.measure(
        frame.with_columns(more[0]),
        released.with_columns(more[1]),
        roles=roles("age", "zip", "more"),
    )
    assert after.value >= before.value - 1e-12


@pytest.mark.parametrize("name", ["singling_out", "membership"])
def test_generalised_keys_do_not_hide_what_stands_beside_them(name: str) -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({f"x{i}": rng.integers(0, 30, N) for i in range(7)})
    keys = ["x0", "x1", "x2"]
    recipe = mv.Recipe(roles=roles(*keys), steps=[mv.Mondrian(k=5)])
    release = mv.run(recipe, frame, seed=1)
    attack = ATTACKS[name]
    with_keys = attack.measure(release.original, release.table, recipe=recipe)
    without = attack.measure(frame.drop(keys), release.table.frame.drop(keys))
    assert with_keys.value >= 0.996 * without.value
    assert without.value > 0.9


def roles(*keys: str) -> mv.Roles:
    return mv.Roles(quasi_identifiers=keys)
