from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.errors import ColumnError, InputError, SpecError
from microveil.hierarchies import read_hierarchy
from microveil.risk.individual_risk import IndividualRisk
from microveil.risk.reidentification_risk import ReidentificationRisk
from microveil.scores import Score
from microveil.tables import Classes, Roles, Table

DATA = Path(__file__).parents[1] / "data"
ADULT = DATA / "adult"
REFERENCE = json.loads((DATA / "arx" / "adult_risk.json").read_text("utf-8"))
OURS = {"records_at_risk": "above_share", "success_rate": "average"}
SEX = Roles(quasi_identifiers=["sex"])
keys = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=30)


def adult(name: str = "adult") -> pl.DataFrame:
    return pl.read_parquet(ADULT / f"{name}.parquet")


def assert_equal(score: Score, theirs: dict[str, Any]) -> None:
    for attacker in ("prosecutor", "journalist", "marketer"):
        for name, value in theirs[attacker].items():
            found = score.parts[attacker][OURS.get(name, name)]
            assert found == pytest.approx(value, rel=1e-12), (attacker, name)


def assert_distributed(score: Score, theirs: dict[str, Any]) -> None:
    frame = score.frames["distribution"]
    assert frame["up_to"].to_list() == theirs["upper_thresholds"]
    assert frame["people_share"].to_list() == pytest.approx(theirs["records"], abs=1e-12)
    assert frame["cumulative_share"].to_list() == pytest.approx(theirs["cumulative"], abs=1e-12)


@pytest.mark.parametrize("case", range(2))
@pytest.mark.parametrize("threshold", [0.2, 0.05])
def test_risks_of_adult_are_those_of_arx(case: int, threshold: float) -> None:
    theirs = REFERENCE["input"][case]
    measure = ReidentificationRisk(threshold=threshold)
    score = measure.measure(adult(), roles=Roles(quasi_identifiers=theirs["qis"]))
    assert_equal(score, theirs[f"summary_{threshold:g}"])
    assert_distributed(score, theirs["risk_distribution"])


@pytest.mark.parametrize("case", range(4))
def test_a_journalist_with_a_population_risks_what_arx_says(case: int, tmp_path: Path) -> None:
    theirs = REFERENCE["journalist"][case]
    roles = Roles(quasi_identifiers=theirs["qis"])
    assert_equal(
        ReidentificationRisk().against(adult("adult_subset"), adult(), roles), theirs["summary_0.2"]
    )
    path = tmp_path / "population.parquet"
    adult().write_parquet(path)
    by_file = ReidentificationRisk(population=str(path), attacker="journalist")
    score = by_file.measure(adult("adult_subset"), roles=roles)
    assert_equal(score, theirs["summary_0.2"])
    assert score.value == theirs["summary_0.2"]["journalist"]["highest"]


@pytest.mark.parametrize("mark", ["*", None])
def test_suppressed_records_of_a_release_are_left_out_as_in_arx(mark: str | None) -> None:
    theirs = REFERENCE["output"]
    frame = adult()
    columns = []
    for name, level in zip(frame.columns, theirs["levels"], strict=True):
        hierarchy = read_hierarchy(ADULT / f"adult_hierarchy_{name}.csv")
        columns.append(hierarchy.generalize(frame[name], level).cast(pl.String))
    roles = Roles(quasi_identifiers=frame.columns)
    classes = Classes.of(Table(pl.DataFrame(columns), roles))
    small = pl.Series(classes.of_records(classes.sizes) < 5)
    released = pl.DataFrame(columns).with_columns(
        pl.when(small).then(pl.lit(mark, dtype=pl.String)).otherwise(pl.all()).name.keep()
    )
    for threshold in (0.2, 0.05):
        score = ReidentificationRisk(threshold=threshold).measure(released, roles=roles)
        assert_equal(score, theirs[f"summary_{threshold:g}"])
    assert_distributed(score, theirs["risk_distribution"])
    assert score.parts["n_records"] == theirs["records"]
    assert score.parts["n_suppressed"] == small.sum()
    assert score.records is not None
    assert (score.records[small.to_numpy()] == 1 / released.height).all()


@given(keys, keys)
@settings(deadline=None, max_examples=60)
def test_the_three_risks_follow_their_definitions(
    sample: list[tuple[int, int]], others: list[tuple[int, int]]
) -> None:
    population = sample + others
    roles = Roles(quasi_identifiers=["a", "b"])
    frames = [pl.DataFrame(rows, schema=["a", "b"], orient="row") for rows in (sample, population)]
    parts = ReidentificationRisk(threshold=0.4).against(frames[0], frames[1], roles).parts
    here, there = Counter(sample), Counter(population)
    n = len(sample)
    alone = [1 / here[row] for row in sample]
    among = [1 / there[row] for row in sample]
    assert parts["prosecutor"]["highest"] == pytest.approx(max(alone))
    assert parts["prosecutor"]["average"] == pytest.approx(sum(alone) / n)
    assert parts["prosecutor"]["above_share"] == pytest.approx(sum(r > 0.4 for r in alone) / n)
    assert parts["journalist"]["highest"] == pytest.approx(max(among))
    assert parts["journalist"]["lowest"] == pytest.approx(min(among))
    picked = len(here) / sum(there[row] for row in here)
    assert parts["journalist"]["average"] == pytest.approx(max(sum(among) / n, picked))
    assert parts["marketer"]["average"] == pytest.approx(sum(among) / n)


@given(keys, st.floats(0.01, 1))
@settings(deadline=None, max_examples=40)
def test_a_share_of_the_population_gives_the_individual_risk(
    rows: list[tuple[int, int]], share: float
) -> None:
    frame = pl.DataFrame(rows, schema=["a", "b"], orient="row")
    size = max(round(len(rows) / share), len(rows))
    weighted = frame.with_columns(w=pl.lit(size / len(rows)))
    roles = Roles(quasi_identifiers=["a", "b"])
    with_weight = Roles(quasi_identifiers=["a", "b"], weight="w")
    expected = IndividualRisk(estimator="exact").measure(weighted, roles=with_weight).records
    by_share = ReidentificationRisk(attacker="journalist", sampling_share=share)
    by_weight = ReidentificationRisk(attacker="journalist")
    assert by_share.measure(frame, roles=roles).records == pytest.approx(expected, rel=1e-9)
    found = by_weight.measure(weighted, roles=with_weight).records
    assert found == pytest.approx(expected, rel=1e-9)


def test_wildcards_hide_a_record_among_all_it_may_be() -> None:
    frame = {"sex": ["f", "f", "m", "*"], "zip": ["1", None, "1", "1"]}
    roles = Roles(quasi_identifiers=["sex", "zip"])
    measure = ReidentificationRisk(missing="wildcard")
    assert measure.measure(frame, roles=roles).records == pytest.approx(
        [1 / 3, 1 / 3, 1 / 2, 1 / 4]
    )
    assert ReidentificationRisk().measure(frame, roles=roles).records == pytest.approx([1] * 4)


def test_people_the_population_lacks_are_reported_and_keep_the_prosecutors_risk() -> None:
    score = ReidentificationRisk(attacker="journalist").against(
        {"sex": ["f", "f", "m"]}, {"sex": ["f"] * 10}, SEX
    )
    assert score.records == pytest.approx([0.1, 0.1, 1])
    assert score.parts["n_outside_population"] == 1


def test_a_constant_table_has_risk_one_over_n_for_everybody() -> None:
    parts = ReidentificationRisk().measure({"sex": ["f"] * 8}, roles=SEX).parts
    for attacker in ("prosecutor", "journalist", "marketer"):
        assert parts[attacker]["average"] == 1 / 8


@pytest.mark.parametrize("rows", [[], ["*", "*"], [None]])
def test_nothing_left_to_find_is_no_risk(rows: list[str | None]) -> None:
    frame = pl.DataFrame({"sex": pl.Series(rows, dtype=pl.String)})
    for attacker in ("prosecutor", "journalist", "marketer"):
        score = ReidentificationRisk.parse({"attacker": attacker}).measure(frame, roles=SEX)
        assert score.value == 0
        assert score.parts["n_suppressed"] == len(rows)


def test_the_value_is_the_chosen_attackers() -> None:
    frame = {"sex": ["f", "f", "m"]}
    values = {
        attacker: ReidentificationRisk.parse({"attacker": attacker, "population_size": 30})
        .measure(frame, roles=SEX)
        .value
        for attacker in ("prosecutor", "journalist", "marketer")
    }
    assert values["prosecutor"] == 1
    assert values["journalist"] == pytest.approx(np.log(10) / 9)
    assert values["marketer"] < values["journalist"]


def test_every_scenario_has_its_parts() -> None:
    roles = Roles(quasi_identifiers=["a", "b"], scenarios={"neighbour": ["a"]})
    score = ReidentificationRisk().measure({"a": [1, 1, 2], "b": [1, 2, 3]}, roles=roles)
    assert score.parts["scenarios"]["neighbour"]["prosecutor"]["average"] == pytest.approx(2 / 3)


def test_two_populations_are_one_too_many() -> None:
    with pytest.raises(SpecError, match="not both"):
        ReidentificationRisk.parse({"population": "p.csv", "population_size": 10})


def test_a_population_too_small_or_without_the_keys_is_an_error() -> None:
    with pytest.raises(InputError, match="more than a population of 1"):
        ReidentificationRisk(population_size=1).measure({"sex": ["f", "m"]}, roles=SEX)
    with pytest.raises(ColumnError, match="No column 'sex'"):
        ReidentificationRisk().against({"sex": ["f"]}, {"age": [1]}, SEX)
