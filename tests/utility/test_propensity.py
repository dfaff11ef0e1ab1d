from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import microveil as mv
from microveil.errors import InputError
from microveil.labels.decoding import decode
from microveil.utility import propensity
from microveil.utility.parts import model_features
from microveil.utility.propensity import Propensity
from tests.utility.cases import people


def test_identical_tables_cannot_be_told_apart() -> None:
    frame = people(500, 1)
    for model in ("logistic", "tree"):
        score = Propensity.parse({"model": model}).measure(frame, frame)
        assert score.value == 0
        assert score.parts["expected"] > 0


def null_parts(
    pairs: Iterable[tuple[pl.DataFrame, pl.DataFrame]], **how: Any
) -> dict[str, NDArray[np.float64]]:
    """The ratios and standardised values of many pairs of tables that do not differ."""
    scores = [Propensity(**how).measure(*pair, aligned=False).parts for pair in pairs]
    names = ("ratio", "standardized", "ratio_of_bootstrap")
    return {name: np.array([one[name] for one in scores]) for name in names}


def new_samples(n: int, m: int, runs: int) -> Iterable[tuple[pl.DataFrame, pl.DataFrame]]:
    return ((people(n, 2 * seed), people(m, 2 * seed + 1)) for seed in range(runs))


def bootstraps(n: int, m: int, runs: int) -> Iterable[tuple[pl.DataFrame, pl.DataFrame]]:
    frame = people(n, 2)
    return ((frame, frame.sample(m, with_replacement=True, seed=seed)) for seed in range(runs))


@pytest.mark.parametrize(("n", "m"), [(600, 600), (300, 900), (60, 60)])
def test_a_new_sample_is_at_the_null(n: int, m: int) -> None:
    found = null_parts(new_samples(n, m, 60))
    # Six features: the ratio is χ²/6, with a standard deviation of .58 and .075 for the mean.
    assert found["ratio"].mean() == pytest.approx(1, abs=0.24)
    assert found["standardized"].std() == pytest.approx(1, abs=0.35)


def test_a_new_sample_is_at_the_null_of_trees_too() -> None:
    pytest.importorskip("sklearn")
    found = null_parts(new_samples(300, 300, 12), model="tree", n_permutations=5)
    assert found["ratio"].mean() == pytest.approx(1, abs=0.12)


@pytest.mark.parametrize(("n", "m", "expected"), [(600, 600, 0.5), (300, 900, 0.25)])
def test_copies_drawn_from_the_original_are_nearer_by_theory(
    n: int, m: int, expected: float
) -> None:
    found = null_parts(bootstraps(n, m, 60))
    assert found["ratio_of_bootstrap"] == pytest.approx(expected)
    assert found["ratio"].mean() == pytest.approx(expected, abs=0.22 * expected)


def test_copies_are_nearer_for_trees_by_the_same() -> None:
    pytest.importorskip("sklearn")
    found = null_parts(bootstraps(300, 300, 12), model="tree", n_permutations=5)
    assert found["ratio"].mean() == pytest.approx(0.5, abs=0.12)


def test_columns_that_repeat_others_do_not_move_the_null() -> None:
    pairs = [
        tuple(
            side.with_columns(half=pl.col("age") / 2, both=pl.col("age") + pl.col("pay"))
            for side in pair
        )
        for pair in new_samples(300, 300, 3)
    ]
    for (before, after), (first, second) in zip(pairs, new_samples(300, 300, 3), strict=True):
        repeated = Propensity().measure(before, after, aligned=False).parts
        alone = Propensity().measure(first, second, aligned=False).parts
        assert repeated["n_features"] == alone["n_features"] + 2
        for name in ("pmse", "expected", "sd", "ratio"):
            assert repeated[name] == pytest.approx(alone[name], rel=1e-6)


def test_the_null_holds_for_samples_of_large_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    original = model_features.sample_rows
    monkeypatch.setattr(propensity, "sample_rows", lambda n: original(n, 200))
    found = null_parts(new_samples(600, 600, 60))
    assert found["ratio"].mean() == pytest.approx(1, abs=0.24)
    assert found["ratio_of_bootstrap"] == pytest.approx(1 - 1 / 3 / 2)
    copies = null_parts(bootstraps(600, 600, 60))
    assert copies["ratio"].mean() == pytest.approx(1 - 1 / 3 / 2, abs=0.2)


def test_labels_of_other_records_are_not_read_as_those_of_the_same_row() -> None:
    # Decoded by its own row, every label would be that row's value: nothing to tell apart.
    frame = pl.DataFrame({"town": [*"aabbccdd"] * 30})
    after = pl.DataFrame({"town": ["{a, b}", "{c, d}"] * 120})
    paired = decode(mv.Table(frame), mv.Table(after), ("town",), mv.Table(frame))
    unpaired = decode(mv.Table(frame), mv.Table(after), ("town",), None)
    assert not paired.equals(unpaired)
    for aligned in (True, False):
        score = Propensity(columns="town").measure(frame, after, aligned=aligned)
        codes = paired if aligned else unpaired
        again = Propensity(columns="town").measure(frame, codes, aligned=False)
        assert score.value == pytest.approx(again.value)


def test_a_shifted_table_is_told_apart() -> None:
    frame = people(1000, 3)
    moved = frame.with_columns(pl.col("age") + 200)
    score = Propensity().measure(frame, moved)
    assert score.parts["share_of_most"] == pytest.approx(1, abs=1e-6)
    tree = Propensity(model="tree").measure(frame, moved)
    assert tree.parts["share_of_most"] == pytest.approx(1)


def test_interactions_see_what_columns_alone_do_not() -> None:
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(2, 2000))
    frame = pl.DataFrame({"x": x, "y": 0.9 * x + 0.4 * y})
    apart = frame.with_columns(pl.col("y").shuffle(seed=1))
    alone = Propensity().measure(frame, apart)
    crossed = Propensity(interactions=True).measure(frame, apart)
    assert alone.parts["ratio"] < 3
    assert crossed.parts["ratio"] > 20


def test_too_many_features_are_refused() -> None:
    frame = pl.DataFrame({f"c{i}": people(60, i)["age"] for i in range(40)})
    with pytest.raises(InputError, match="Name fewer columns"):
        Propensity(interactions=True).measure(frame, frame.reverse())


def test_a_run_does_not_wait_for_a_classifier() -> None:
    frame = pl.DataFrame({"age": [30, 40, 50, 60] * 5, "pay": [float(one) for one in range(20)]})
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["age"], sensitive=["pay"]))
    assert "propensity" not in mv.run(recipe, frame).utility
    assert "propensity" in mv.compare(frame, frame, roles=recipe.roles).utility


def test_shuffled_rows_draw_the_same_values_for_their_labels() -> None:
    rng = np.random.default_rng(5)
    frame = pl.DataFrame(
        {"town": rng.choice(list("abcdef"), 300), "pay": rng.lognormal(10, 1, 300)}
    )
    tree = mv.Tree(tree={"north": list("abc"), "south": list("def")})
    released = mv.Generalize(column="town", hierarchy=tree, level=1).protect(frame)
    measure = mv.Propensity(hierarchies={"town": tree})
    once = measure.measure(frame, released).value
    assert once > 0
    for seed in range(3):
        shuffled = released.sample(fraction=1, shuffle=True, seed=seed)
        assert measure.measure(frame, shuffled).value == pytest.approx(once)
