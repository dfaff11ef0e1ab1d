from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.synthesis.evaluation.associations import association_error, correlation_error
from microveil.synthesis.evaluation.marginal_errors import marginal_errors


def people(n: int, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, n)
    ill = np.where(rng.random(n) < (age / 100) ** 2, "yes", "no")
    pay = np.round(rng.lognormal(7, 0.4, n) * (1 + age / 100), 2)
    return pl.DataFrame({"age": age, "ill": ill, "pay": pay, "sex": rng.choice(["f", "m"], n)})


ORIGINAL, HOLDOUT, OTHERS = people(400), people(200, seed=1), people(400, seed=2)


def test_a_fresh_sample_is_as_good_as_real_and_gives_nothing_away() -> None:
    found = mv.evaluate_synthesis(ORIGINAL, OTHERS, holdout=HOLDOUT, target="ill")
    assert not found.skipped
    assert found["propensity_ratio"] < 4
    assert 0.4 < found["two_sample_auc"] < 0.6
    reference = dict(zip(found.frame["measure"], found.frame["reference"], strict=True))
    assert found["train_on_synthetic"] == pytest.approx(reference["train_on_synthetic"], abs=0.12)
    assert found["membership_advantage"] < 0.2
    assert found["closer_to_original"] == pytest.approx(2 / 3, abs=0.1)
    assert found["replicated_uniques"] == 0
    assert found["records_found"] == 0


def test_copies_are_found_out() -> None:
    found = mv.evaluate_synthesis(ORIGINAL, ORIGINAL, holdout=HOLDOUT, target="ill")
    assert found["one_way_marginals"] == 0
    assert found["two_sample_auc"] < 0.4
    assert found["closer_to_original"] == 1
    assert found["records_found"] == 1
    assert found["membership_advantage"] > 0.8
    assert found["interval_overlap"] == pytest.approx(1)


def test_noise_is_useless_and_told_apart() -> None:
    rng = np.random.default_rng(0)
    noise = ORIGINAL.with_columns(
        pl.Series("pay", rng.uniform(0, 1e5, 400)), pl.col("ill").shuffle(seed=1)
    )
    found = mv.evaluate_synthesis(ORIGINAL, noise, holdout=HOLDOUT, target="ill")
    assert found["two_sample_auc"] > 0.9
    assert found["train_on_synthetic"] < 0.65
    assert found["interval_overlap"] < 0.7


def test_what_cannot_be_measured_is_listed_with_the_reason() -> None:
    found = mv.evaluate_synthesis(ORIGINAL, OTHERS)
    assert set(found.skipped) == {"train_on_synthetic", "membership"}
    assert "hold-out" in found.skipped["membership"]
    with pytest.raises(InputError, match="no 'membership'"):
        found["membership"]


@pytest.mark.parametrize("which", [0, 1])
def test_tables_without_records_are_refused(which: int) -> None:
    pair = [ORIGINAL, OTHERS]
    pair[which] = pair[which].clear()
    with pytest.raises(InputError, match="no records"):
        mv.evaluate_synthesis(*pair)


def test_one_column_and_all_missing_are_measured() -> None:
    frame = pl.DataFrame({"x": pl.Series([None] * 30, dtype=pl.Float64)})
    found = mv.evaluate_synthesis(frame, frame)
    assert found["one_way_marginals"] == 0
    assert found.trust_map is None


def test_marginal_errors_equal_a_hand_computation() -> None:
    before = pl.DataFrame({"a": ["x", "x", "y", "y"], "b": [1, 2, 1, 2]})
    after = pl.DataFrame({"a": ["x", "x", "x", "y"], "b": [1, 1, 1, 2]})
    found = {order: distance for order, distance, _ in marginal_errors(before, after)}
    assert found == pytest.approx({1: (0.5 + 0.5) / 2, 2: 0.5 + 0.25 + 0.25 + 0.0})


def test_associations_are_those_of_the_tables() -> None:
    x = np.arange(200.0)
    before = pl.DataFrame({"x": x, "y": x})
    after = pl.DataFrame({"x": x, "y": -x})
    assert correlation_error(before, after) == pytest.approx(2.0)
    same = pl.DataFrame({"a": ["u", "v"] * 100, "b": ["u", "v"] * 100})
    apart = pl.DataFrame({"a": ["u", "v"] * 100, "b": ["u", "u", "v", "v"] * 50})
    assert association_error(same, apart) == pytest.approx(1.0, abs=0.02)
    assert association_error(same, same) == 0
    assert correlation_error(same, same) is None


def test_the_result_is_plain_data() -> None:
    found = mv.evaluate_synthesis(ORIGINAL, OTHERS)
    assert {row["aspect"] for row in found.to_dict()["measures"]} == {
        "fidelity",
        "usefulness",
        "privacy",
    }
