from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import microveil as mv
from microveil.errors import InputError
from microveil.labels.decoding import decoded
from microveil.utility import propensity
from microveil.utility.clustering import Clustering, adjusted_rand
from microveil.utility.confidence_overlap import ConfidenceOverlap
from microveil.utility.parts import model_features
from microveil.utility.parts.estimates import Estimate, Side, group_means, overlap, regression
from microveil.utility.prediction import Prediction
from microveil.utility.propensity import Propensity


def people(n: int, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, n)
    town = rng.choice(["a", "b", "c"], n, p=[0.6, 0.3, 0.1])
    pay = 20 + age * 0.5 + (town == "a") * 10 + rng.normal(0, 5, n)
    ill = np.where(age + rng.normal(0, 10, n) > 55, "yes", "no")
    return pl.DataFrame({"age": age, "town": town, "pay": pay, "ill": ill})


# Propensity


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
    original = model_features.sampled
    monkeypatch.setattr(propensity, "sampled", lambda n: original(n, 200))
    found = null_parts(new_samples(600, 600, 60))
    assert found["ratio"].mean() == pytest.approx(1, abs=0.24)
    assert found["ratio_of_bootstrap"] == pytest.approx(1 - 1 / 3 / 2)
    copies = null_parts(bootstraps(600, 600, 60))
    assert copies["ratio"].mean() == pytest.approx(1 - 1 / 3 / 2, abs=0.2)


def test_labels_of_other_records_are_not_read_as_those_of_the_same_row() -> None:
    # Decoded by its own row, every label would be that row's value: nothing to tell apart.
    frame = pl.DataFrame({"town": [*"aabbccdd"] * 30})
    after = pl.DataFrame({"town": ["{a, b}", "{c, d}"] * 120})
    paired = decoded(mv.Table(frame), mv.Table(after), ("town",), mv.Table(frame))
    unpaired = decoded(mv.Table(frame), mv.Table(after), ("town",), None)
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


def test_trees_without_scikit_learn_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def without(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(model_features, "import_module", without)
    frame = people(50, 1)
    assert Propensity().measure(frame, frame).value == 0
    for measure in (Propensity(model="tree"), Prediction(target="ill")):
        with pytest.raises(InputError, match=r"microveil\[models\]"):
            measure.measure(frame, frame)


# Labels


def test_decoded_labels_are_values_they_cover() -> None:
    frame = people(300, 6)
    after = mv.Mondrian(k=10, columns=["age", "town"]).protect(frame)
    found = decoded(mv.Table(frame), mv.Table(after), ("age", "town"), mv.Table(frame))
    assert found["age"].dtype == frame["age"].dtype
    assert set(found["town"].to_list()) <= set(frame["town"].to_list())
    for label, value in zip(after["age"].to_list(), found["age"].to_list(), strict=True):
        ends = [int(end) for end in str(label).strip("[]").split(", ")]
        assert ends[0] <= value <= ends[-1]
    again = decoded(mv.Table(frame), mv.Table(after), ("age", "town"), mv.Table(frame))
    assert found.equals(again)


def test_generalised_tables_are_measured_without_decoding_by_hand() -> None:
    frame = people(600, 7)
    after = mv.Mondrian(k=5, columns=["age", "town"]).protect(frame)
    roles = mv.Roles(quasi_identifiers=["age", "town"], sensitive=["ill"])
    assert Propensity().measure(frame, after, roles=roles).parts["ratio"] < 2
    assert Prediction().measure(frame, after, roles=roles).value < 0.3
    assert 0 <= Clustering().measure(frame, after, roles=roles).value < 0.7
    assert ConfidenceOverlap().measure(frame, after, roles=roles).value < 0.3


# Confidence intervals


def test_overlap_is_karr_s() -> None:
    assert overlap(Estimate(1, 0, 2), Estimate(1.5, 0.5, 2.5)) == pytest.approx(0.75)
    assert overlap(Estimate(1, 0, 4), Estimate(1, 1, 2)) == pytest.approx((0.25 + 1) / 2)
    assert overlap(Estimate(1, 0, 2), Estimate(5, 4, 6)) == 0
    assert overlap(Estimate(1, 1, 1), Estimate(1, 1, 1)) == 1
    assert overlap(Estimate(1, 1, 1), None) == 0


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(-50, 50)), min_size=1, max_size=40))
def test_intervals_of_group_means_are_scipy_s(rows: list[tuple[int, int]]) -> None:
    from scipy.stats import t

    groups, numbers = np.array([g for g, _ in rows]), np.array([float(x) for _, x in rows])
    found = group_means(numbers, groups, 3, None, 0.95)
    for group, estimate in enumerate(found):
        inside = numbers[groups == group]
        if len(inside) < 3:
            assert estimate is None
            continue
        assert estimate is not None
        margin = t.ppf(0.975, len(inside) - 1) * inside.std(ddof=1) / np.sqrt(len(inside))
        assert estimate == pytest.approx(
            (inside.mean(), inside.mean() - margin, inside.mean() + margin), abs=1e-9
        )


def test_intervals_of_coefficients_are_those_of_least_squares() -> None:
    from scipy.stats import linregress, t

    rng = np.random.default_rng(8)
    x = rng.normal(3, 2, 100)
    y = 2 * x + rng.normal(0, 1, 100)
    found = regression(Side({"y": y, "x": x}, None), "y", ("x",), 0.95)["x"]
    peer = linregress(x, y)
    margin = t.ppf(0.975, 98) * peer.stderr
    assert found == pytest.approx((peer.slope, peer.slope - margin, peer.slope + margin))


def test_a_weight_counts_like_so_many_records_for_the_estimate() -> None:
    x, w = np.array([1.0, 2.0, 4.0, 9.0]), np.array([1.0, 2.0, 3.0, 4.0])
    groups = np.zeros(4, dtype=np.int64)
    weighted = group_means(x, groups, 1, w, 0.95)[0]
    assert weighted is not None
    assert weighted.value == pytest.approx(np.repeat(x, w.astype(int)).mean())
    y = np.array([0.0, 3.0, 3.0, 12.0])
    slope = regression(Side({"y": np.r_[y, y], "x": np.r_[x, x]}, np.r_[w, w]), "y", ("x",), 0.95)
    times = np.r_[w, w].astype(int)
    plain = regression(
        Side({"y": np.repeat(np.r_[y, y], times), "x": np.repeat(np.r_[x, x], times)}, None),
        "y",
        ("x",),
        0.95,
    )
    assert slope["x"].value == pytest.approx(plain["x"].value)


def test_groups_go_by_number_not_by_name() -> None:
    frame = people(200, 9)
    score = ConfidenceOverlap().measure(frame, frame)
    assert score.value == 0
    text = str(score.to_dict()) + str(score.frames["estimates"]["about"].to_list())
    assert "pay by town 1" in text
    assert "'a'" not in text


def test_a_group_that_the_release_lacks_has_no_overlap() -> None:
    frame = people(200, 9)
    score = ConfidenceOverlap(columns="pay", by="town").measure(
        frame, frame.filter(pl.col("town") != "b"), aligned=False
    )
    worst = score.frames["estimates"].filter(about="pay by town 2")
    assert worst["overlap"].to_list() == [0.0]


# Prediction


def test_models_of_the_course_s_kind_disagree_more_with_more_noise() -> None:
    frame = people(800, 10)
    losses = []
    for share in (0.01, 1.0):
        after = mv.AdditiveNoise(columns=["age", "pay"], sd_share=share).protect(frame, seed=1)
        losses.append(Prediction(target="ill").measure(frame, after).value)
    assert losses[0] < losses[1]
    assert losses[0] < 0.15


@pytest.mark.parametrize("model", ["tree", "boosting", "forest", "logistic"])
@pytest.mark.parametrize("target", ["ill", "pay"])
def test_a_table_learnt_twice_predicts_the_same(model: str, target: str) -> None:
    frame = people(300, 11)
    score = Prediction.parse({"model": model, "target": target}).measure(frame, frame)
    assert score.value == 0
    good = score.parts.get("accuracy_before", score.parts.get("r_squared_before"))
    assert good > 0.5


def test_a_destroyed_target_is_noticed() -> None:
    frame = people(800, 12)
    after = frame.with_columns(pl.col("ill").shuffle(seed=1), pl.col("pay").shuffle(seed=2))
    parts = Prediction(target="ill").measure(frame, after).parts
    assert parts["accuracy_change"] < -0.15
    parts = Prediction(target="pay").measure(frame, after).parts
    assert parts["r_squared_change"] < -0.4


def test_held_out_records_are_not_learnt_from() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"id": np.arange(400), "y": rng.choice(["a", "b"], 400)})
    parts = Prediction(target="y", columns="id").measure(frame, frame).parts
    assert parts["accuracy_before"] < 0.7


def test_what_prediction_needs_is_said() -> None:
    frame = people(40, 1)
    with pytest.raises(InputError, match="target"):
        Prediction().measure(frame, frame)
    with pytest.raises(InputError, match="10 records"):
        Prediction(target="ill").measure(frame.head(5), frame.tail(5))
    with pytest.raises(InputError, match="must hold numbers"):
        Prediction(target="ill", task="regression").measure(frame, frame)


# Clustering


def test_clear_clusters_survive_small_noise_and_not_a_permutation() -> None:
    rng = np.random.default_rng(13)
    centres = rng.permutation(np.repeat(np.arange(4), 100)) * 100.0
    frame = pl.DataFrame({"x": centres + rng.normal(size=400), "y": centres + rng.normal(size=400)})
    near = frame + pl.DataFrame(rng.normal(size=(400, 2)), schema=["x", "y"])
    measure = Clustering(n_clusters=4)
    assert measure.measure(frame, near).value == 0
    far = frame.sample(fraction=1.0, shuffle=True, seed=1)
    assert measure.measure(frame, far).value > 0.9
    assert measure.measure(frame, far, aligned=False).value == 0


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30))
def test_adjusted_rand_is_scikit_learn_s(pairs: list[tuple[int, int]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    a, b = (np.array(side) for side in zip(*pairs, strict=True))
    assert adjusted_rand(a, b) == pytest.approx(metrics.adjusted_rand_score(a, b))


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1))
def test_precision_recall_and_f1_are_scikit_learn_s(pairs: list[tuple[str, str]]) -> None:
    from sklearn.metrics import precision_recall_fscore_support

    from microveil.utility.prediction import _qualities

    truth, guess = (np.array(side) for side in zip(*pairs, strict=True))
    expected = precision_recall_fscore_support(truth, guess, average="macro", zero_division=0)
    found = _qualities(truth, guess, "after")
    assert list(found) == ["precision_after", "recall_after", "f1_after"]
    assert list(found.values()) == pytest.approx(list(expected[:3]))


def test_the_parts_of_a_prediction_have_the_qualities_of_both_models() -> None:
    people = {"age": list(range(60)), "ill": ["no"] * 30 + ["yes"] * 30}
    parts = Prediction(target="ill").measure(people, people).parts
    assert parts["precision_before"] == parts["precision_after"] > 0.5
    assert {"recall_after", "f1_before"} <= set(parts)
