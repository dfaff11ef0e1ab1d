from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from microveil.errors import RolesError
from microveil.risk.individual_risk import IndividualRisk
from microveil.tables import Roles
from tests.risk.population.cases import people

DATA = Path(__file__).parents[1] / "data" / "sdcmicro"
REFERENCE = json.loads((DATA / "frequency_risk.json").read_text("utf-8"))
KV5 = ["urbrur", "roof", "walls", "water", "sex"]
KV7 = [*KV5, "electcon", "relat"]


def weighted(keys: list[str]) -> Roles:
    return Roles(quasi_identifiers=keys, weight="sampling_weight", household="ori_hid")


@pytest.fixture(scope="module")
def testdata() -> pl.DataFrame:
    return pl.read_parquet(DATA / "individual_risk_testdata.parquet")


def test_risks_are_those_of_sdcmicro_record_by_record(testdata: pl.DataFrame) -> None:
    score = IndividualRisk().measure(testdata, roles=weighted(KV5))
    theirs = REFERENCE["testdata"]
    assert score.records == pytest.approx(testdata["rk"].to_numpy(), rel=1e-9)
    assert score.value == pytest.approx(theirs["global_risk"], rel=1e-9)
    parts = score.parts
    assert parts["expected_reidentifications"] == pytest.approx(theirs["global_risk_ER"], rel=1e-9)
    assert parts["n_unique"] == theirs["n1"]
    assert parts["household_global_risk"] == pytest.approx(theirs["hier_risk_global"], rel=1e-9)
    found = parts["household_expected_reidentifications"]
    assert found == pytest.approx(theirs["hier_risk_ER"], rel=1e-9)


def test_household_risks_are_those_of_sdcmicro(testdata: pl.DataFrame) -> None:
    score = IndividualRisk(level="household").measure(testdata, roles=weighted(KV5))
    assert score.records == pytest.approx(testdata["hier_risk"].to_numpy(), rel=1e-9)
    assert score.value == pytest.approx(REFERENCE["testdata"]["hier_risk_global"], rel=1e-9)


def test_seven_keys_of_testdata2() -> None:
    frame = pl.read_csv(DATA / "individual_risk_testdata2.csv")
    score = IndividualRisk().measure(frame, roles=weighted(KV7))
    theirs = REFERENCE["testdata2"]
    assert score.records == pytest.approx(frame["rk"].to_numpy(), rel=1e-9)
    parts = score.parts
    assert parts["expected_reidentifications"] == pytest.approx(theirs["global_risk_ER"], rel=1e-9)
    assert parts["threshold"] == theirs["global_threshold"] == 0
    found = parts["household_expected_reidentifications"]
    assert found == pytest.approx(theirs["hier_risk_ER"], rel=1e-9)


def test_thresholds_are_those_of_sdcmicro(testdata: pl.DataFrame) -> None:
    theirs = REFERENCE["testdata"]
    strict = IndividualRisk(max_global_risk=0.0001).measure(testdata, roles=weighted(KV5))
    assert strict.parts["threshold"] == pytest.approx(theirs["threshold_maxglobal_0.0001"])
    plain = IndividualRisk().measure(testdata, roles=Roles(quasi_identifiers=KV5))
    assert plain.value == pytest.approx(theirs["unweighted"]["global_risk"], rel=1e-12)
    assert plain.parts["threshold"] == pytest.approx(theirs["unweighted"]["threshold"])


def test_a_table_that_is_safe_enough_has_nobody_above_the_threshold(
    testdata: pl.DataFrame,
) -> None:
    """Here sdcMicro says NA."""
    parts = IndividualRisk().measure(testdata, roles=weighted(KV5)).parts
    assert REFERENCE["testdata"]["global_threshold"] is None
    assert parts["threshold"] == parts["highest_risk"]
    assert parts["n_above"] == 0


@pytest.mark.parametrize("case", [0, 1, 2, 5])
@pytest.mark.parametrize("estimator", ["approximate", "exact"])
def test_missing_keys_are_wildcards_as_in_sdcmicro(case: int, estimator: str) -> None:
    francdat = REFERENCE["francdat"]
    expected = francdat["cases"][case]
    theirs = expected["rk_exact"] if estimator == "exact" else None
    theirs = expected["rk_approx"] if theirs is None else theirs  # without weights there is one
    roles = Roles(quasi_identifiers=["Key1", "Key2", "Key3", "Key4"], weight="w")
    if case == 1:
        roles = roles.without(["w"])
    measure = IndividualRisk.parse(
        {"estimator": estimator, "missing": "wildcard", "wildcard_weight": 0 if case == 5 else 1}
    )
    score = measure.measure(francdat["complete" if case < 2 else "gaps"], roles=roles)
    assert score.records == pytest.approx(theirs, rel=1e-9)


def test_a_frequency_between_one_and_two_has_a_risk_where_sdcmicro_says_none() -> None:
    """It says 0 for f = 1.5; between those of one and of two records is right."""
    francdat = REFERENCE["francdat"]
    theirs = np.array(francdat["cases"][3]["rk_approx"])
    roles = Roles(quasi_identifiers=["Key1", "Key2", "Key3", "Key4"], weight="w")
    measure = IndividualRisk(missing="wildcard", wildcard_weight=0.5)
    found = measure.measure(francdat["gaps"], roles=roles).records
    assert found is not None
    usual = theirs > 0
    assert (~usual).sum() == 3
    assert found[usual] == pytest.approx(theirs[usual], rel=1e-9)
    assert (found[~usual] > 0).all()


def test_the_grid_of_sdcmicro_where_its_exact_formula_is_stable() -> None:
    grid = REFERENCE["grid"]
    frame = pl.DataFrame({"f": grid["fk"], "F": np.array(grid["Fk"])}).with_row_index("class")
    rows = frame.select(pl.all().repeat_by("f").explode()).with_columns(w=pl.col("F") / pl.col("f"))
    roles = Roles(quasi_identifiers=["class"], weight="w")
    first = rows.select(pl.col("class").is_first_distinct()).to_series().to_numpy()
    for estimator in ("approximate", "exact"):
        score = IndividualRisk(estimator=estimator).measure(rows, roles=roles)
        assert score.records is not None
        found = score.records[first]
        theirs = np.array(grid["approx" if estimator == "approximate" else "exact"])
        stable = np.array(grid["fk"]) * np.array(grid["pk"]) <= 8
        usable = stable | (estimator == "approximate")
        assert found[usable] == pytest.approx(theirs[usable], rel=1e-6)
        assert ((found > 0) & (found <= 1)).all()


@given(people)
@settings(deadline=None, max_examples=50)
def test_risks_do_not_depend_on_the_order_of_rows(rows: list[tuple[int, int, float]]) -> None:
    frame = pl.DataFrame(rows, schema=["a", "b", "w"], orient="row")
    roles = Roles(quasi_identifiers=["a", "b"], weight="w", household="a")
    order = np.random.default_rng(0).permutation(len(rows))
    one = IndividualRisk().measure(frame, roles=roles)
    other = IndividualRisk().measure(frame[order], roles=roles)
    assert one.records is not None
    assert other.records == pytest.approx(one.records[order])
    assert other.value == pytest.approx(one.value)
    assert other.parts["household_global_risk"] == pytest.approx(one.parts["household_global_risk"])


@given(people)
@settings(deadline=None, max_examples=50)
def test_coarser_keys_never_raise_the_risk(rows: list[tuple[int, int, float]]) -> None:
    frame = pl.DataFrame(rows, schema=["a", "b", "w"], orient="row").with_columns(w=pl.lit(5.0))
    for weight in (None, "w"):
        fine = Roles(quasi_identifiers=["a", "b"], weight=weight)
        coarse = Roles(quasi_identifiers=["a"], weight=weight)
        before = IndividualRisk().measure(frame, roles=fine).records
        after = IndividualRisk().measure(frame, roles=coarse).records
        assert before is not None
        assert after is not None
        assert (after <= before + 1e-12).all()


def test_a_constant_table_has_risk_one_over_n() -> None:
    frame = {"a": [7] * 25}
    assert IndividualRisk().measure(frame, roles=Roles(quasi_identifiers=["a"])).value == 1 / 25
    assert IndividualRisk().measure(frame, roles=Roles()).value == 1 / 25


def test_an_empty_table_and_one_row_have_a_defined_risk() -> None:
    roles = Roles(quasi_identifiers=["a"], weight="w", household="h")
    empty = pl.DataFrame(schema={"a": pl.Int64, "w": pl.Float64, "h": pl.Int64})
    score = IndividualRisk().measure(empty, roles=roles)
    assert (score.value, score.interval, score.parts["threshold"]) == (0, None, 0)
    assert score.records is not None
    assert len(score.records) == 0
    one = IndividualRisk().measure({"a": [1], "w": [1.0], "h": [1]}, roles=roles)
    assert one.value == one.parts["household_global_risk"] == 1


def test_the_sample_estimator_ignores_the_weights() -> None:
    frame = {"a": [1, 1, 2], "w": [9.0, 9.0, 9.0]}
    roles = Roles(quasi_identifiers=["a"], weight="w")
    score = IndividualRisk(estimator="sample").measure(frame, roles=roles)
    assert score.records == pytest.approx([0.5, 0.5, 1])
    assert score.interval is None


def test_every_scenario_has_its_parts() -> None:
    roles = Roles(quasi_identifiers=["a", "b"], scenarios={"neighbour": ["a"]})
    score = IndividualRisk().measure({"a": [1, 1, 2], "b": [1, 2, 3]}, roles=roles)
    assert score.value == 1
    assert score.parts["scenarios"]["neighbour"]["global_risk"] == pytest.approx(2 / 3)


def test_the_risk_of_households_needs_households() -> None:
    with pytest.raises(RolesError, match="household column in the roles"):
        IndividualRisk(level="household").measure({"a": [1]}, roles=Roles(quasi_identifiers=["a"]))


def test_the_interval_covers_the_number_of_matches_where_the_model_holds() -> None:
    """Populations drawn from the prior 1/F: nineteen in twenty intervals hold Σ f/F."""
    rng = np.random.default_rng(4)
    sizes = np.arange(1, 3000)
    share, n_draws, covered = 0.1, 200, 0
    for _ in range(n_draws):
        behind = rng.choice(sizes, size=1500, p=(1 / sizes) / (1 / sizes).sum())
        seen = rng.binomial(behind, share)
        behind, seen = behind[seen > 0], seen[seen > 0]
        frame = pl.DataFrame({"a": np.repeat(np.arange(len(seen)), seen)}).with_columns(w=1 / share)
        score = IndividualRisk(estimator="exact").measure(
            frame, roles=Roles(quasi_identifiers=["a"], weight="w")
        )
        assert score.interval is not None
        real = float((seen / behind).sum() / seen.sum())
        covered += score.interval[0] <= real <= score.interval[1]
    assert 0.90 <= covered / n_draws <= 0.99


def survey(weights: list[float], keys: list[int | None], **parameters: Any) -> Any:
    roles = Roles(quasi_identifiers=["a", "b"], weight="w")
    frame = {"a": keys, "b": [0] * len(keys), "w": weights}
    return IndividualRisk(**parameters).measure(frame, roles=roles)


def test_the_interval_stays_between_none_and_certainty() -> None:
    # A unique record that stands for many: its risk is small, and far from normal.
    low, high = survey([1000.0], [1]).interval
    assert low == 0
    assert high < 1
    # One that stands for hardly more than itself: nearly certain.
    low, high = survey([1.05], [1]).interval
    assert high == 1
    assert 0 < low < 1


def test_the_interval_of_the_number_is_that_of_the_mean_times_the_people() -> None:
    score = survey([10.0, 20.0, 5.0, 8.0], [1, 1, 2, 3])
    low, high = score.interval
    assert low < score.value < high
    assert score.parts["expected_reidentifications_interval"] == pytest.approx([4 * low, 4 * high])
    plain = survey([10.0, 20.0, 5.0, 8.0], [1, 1, 2, 3], estimator="sample")
    assert "expected_reidentifications_interval" not in plain.parts


def test_there_is_no_interval_where_classes_overlap() -> None:
    """A posterior of each class by itself says nothing of a sum over records that share people."""
    keys = [1, 1, 2, None]
    assert survey([10.0] * 4, keys, missing="wildcard").interval is None
    assert survey([10.0] * 4, keys).interval is not None
    complete: list[int | None] = [1, 1, 2, 2]
    assert survey([10.0] * 4, complete, missing="wildcard").interval is not None
