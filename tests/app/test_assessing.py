from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.app.assessing import OF_A_TABLE, assess


def survey(n: int = 300) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 26, n),
            "sex": rng.choice(["f", "m"], n),
            "zip": rng.integers(0, 40, n),
            "ill": rng.choice(["flu", "cold"], n),
            "weight": rng.uniform(1, 50, n),
            "home": np.arange(n) // 3,
            "person": np.arange(n) // 2,
        }
    )


ROLES = mv.Roles(quasi_identifiers=["age", "sex"], sensitive=["ill"])


def test_every_question_is_answered_for_a_table_with_keys_and_secrets() -> None:
    found = assess(survey(), ROLES)
    assert [one.question for one in found.verdicts] == ["singling out", "linkability", "inference"]
    assert "unknown" not in {one.level for one in found.verdicts}
    asked_for = {"outside_linkage", "safe_harbor", "trajectory_risk"}
    assert set(found.scores) | set(found.skipped) == set(OF_A_TABLE.classes) - asked_for


def test_measures_agree_with_what_they_say_alone() -> None:
    table = mv.Table(survey(), ROLES)
    found = assess(table)
    for measure in (mv.ClassSizes(), mv.IndividualRisk(), mv.AttributeDisclosure()):
        assert found.scores[measure.kind()].value == measure.measure(table).value
    assert found.scores["class_sizes"].value == 1 / found.k


@pytest.mark.parametrize("choice", [["individual_risk"], "individual_risk", mv.IndividualRisk()])
def test_measures_are_chosen_by_name_or_as_specs(choice: object) -> None:
    assert list(assess(survey(), ROLES, measures=choice).scores) == ["individual_risk"]  # type: ignore[arg-type]  # any choice


def test_without_measures_there_are_still_verdicts() -> None:
    found = assess(survey(), ROLES, measures="none")
    assert not found.scores
    assert not found.skipped
    assert [one.level for one in found.verdicts][2] == "unknown"


def test_a_named_measure_that_needs_the_original_is_refused() -> None:
    with pytest.raises(mv.InputError, match="record_linkage compares a release with"):
        assess(survey(), ROLES, measures=["class_sizes", "record_linkage"])


def test_a_named_measure_that_cannot_be_taken_is_an_error() -> None:
    with pytest.raises(mv.InputError, match="population size"):
        assess(survey(), ROLES, measures=["population_risk"])
    assert "population_risk" in assess(survey(), ROLES).skipped


def test_a_measure_of_utility_is_no_measure_of_a_table() -> None:
    with pytest.raises(mv.InputError, match="il1s compares a release with its original"):
        assess(survey(), ROLES, measures=["il1s"])
    with pytest.raises(mv.InputError, match="no measure 'il1z' here: choose from class_sizes"):
        assess(survey(), ROLES, measures=["il1z"])


def test_a_weight_makes_individual_and_population_risk_smaller() -> None:
    plain = assess(survey(), ROLES)
    weighted = assess(survey(), ROLES.model_copy(update={"weight": "weight"}))
    assert weighted.scores["individual_risk"].value < plain.scores["individual_risk"].value
    assert "population_risk" in weighted.scores
    assert weighted.k == plain.k


def test_households_and_people_are_counted_where_roles_name_them() -> None:
    at_home = assess(survey(), ROLES.model_copy(update={"household": "home"}))
    parts = at_home.scores["individual_risk"].parts
    assert parts["household_global_risk"] > parts["global_risk"]
    twice = pl.concat([survey(40), survey(40)]).with_columns(person=pl.int_range(80) % 40)
    several = assess(twice, ROLES.model_copy(update={"entity": "person"}))
    assert (several.k, assess(twice, ROLES).k) == (1, 2)
    assert several.scores["individual_risk"].parts["expected_reidentifications"] <= 40


def test_each_scenario_is_assessed_like_the_quasi_identifiers() -> None:
    roles = ROLES.model_copy(update={"scenarios": {"neighbour": ("age", "sex", "zip")}})
    found = assess(survey(), roles)
    alone = assess(survey(), mv.Roles(quasi_identifiers=["age", "sex", "zip"], sensitive=["ill"]))
    scenario = found.scenarios["neighbour"]
    assert scenario.verdicts == alone.verdicts
    assert scenario.verdicts != found.verdicts
    assert scenario.scores["individual_risk"].value == alone.scores["individual_risk"].value
    assert found.to_dict()["scenarios"]["neighbour"]["verdicts"][0]["level"] == "high"


def test_what_a_scenario_knows_is_no_secret_in_it() -> None:
    roles = ROLES.model_copy(update={"scenarios": {"doctor": ("age", "ill")}})
    found = assess(survey(), roles).scenarios["doctor"].scores["attribute_disclosure"]
    assert "ill" not in found.parts.get("columns", {})


def test_scenarios_may_stand_alone() -> None:
    found = assess(survey(), mv.Roles(scenarios={"one": ["age"]}))
    assert found.scenarios["one"].verdicts
    assert not found.verdicts


def test_the_treatment_of_missing_keys_reaches_the_measures() -> None:
    frame = pl.DataFrame({"age": [1, 1, None, 2, 2], "ill": ["a", "b", "a", "b", "a"]})
    roles = mv.Roles(quasi_identifiers=["age"], sensitive=["ill"])
    assert assess(frame, roles).scores["class_sizes"].value == 1
    assert assess(frame, roles, missing="wildcard").scores["class_sizes"].value == 1 / 3
    strict = mv.ClassSizes(missing="category")
    found = assess(frame, roles, missing="wildcard", measures=[strict])
    assert found.scores["class_sizes"].value == 1


def test_what_takes_long_is_told_to_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mv.SpecialUniques, "most_cells", 599)
    found = assess(survey(), ROLES)
    assert "takes long" in found.skipped["special_uniques"]
    assert "special_uniques" in assess(survey(), ROLES, measures=["special_uniques"]).scores


@pytest.mark.parametrize("name", ["no rows", "one row", "all missing", "wild", "constant"])
def test_odd_tables_have_an_assessment_without_a_cell_in_its_words(name: str) -> None:
    column = {
        "no rows": [],
        "one row": ["SECRET"],
        "all missing": [None] * 4,
        "wild": [float("nan"), float("inf"), None, 1.0],
        "constant": ["SECRET"] * 4,
    }[name]
    frame = pl.DataFrame({"q": column, "s": column})
    found = assess(frame, mv.Roles(quasi_identifiers=["q"], sensitive=["s"]), measures="all")
    assert len(found.verdicts) == 3
    told = " ".join([*(one.sentence for one in found.verdicts), *found.skipped.values()])
    assert "SECRET" not in told


def test_without_records_the_numbers_are_the_same() -> None:
    whole, lean = assess(survey(), ROLES), assess(survey(), ROLES, records=["individual_risk"])
    assert lean.to_dict() == whole.to_dict()
    assert lean.unique_records.is_empty()
    assert [name for name, score in lean.scores.items() if score.records is not None] == [
        "individual_risk"
    ]
