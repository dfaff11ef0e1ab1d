from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl
import pytest

from microveil.measures.base import RiskMeasure
from microveil.risk.assessment.assessment import assess_table
from microveil.risk.assessment.verdicts import Verdict, pair_verdicts, table_verdicts
from microveil.risk.attacks.rates import Rate, Rates
from microveil.risk.attribute_disclosure import AttributeDisclosure
from microveil.risk.individual_risk import IndividualRisk
from microveil.risk.reidentification_risk import ReidentificationRisk
from microveil.scores import Score
from microveil.tables import Roles, Table

ROLES = Roles(quasi_identifiers=["q"], sensitive=["s"])
MEASURES: tuple[RiskMeasure, ...] = (ReidentificationRisk(), AttributeDisclosure())


def verdicts(q: list[Any], s: list[Any], *, measured: bool = True) -> dict[str, Verdict]:
    table = Table(pl.DataFrame({"q": q, "s": s}, strict=False), ROLES)
    scores = {m.kind(): m.score(None, table) for m in MEASURES} if measured else {}
    found = table_verdicts(assess_table(table), scores)
    assert [one.question for one in found] == ["singling out", "linkability", "inference"]
    return {one.question: one for one in found}


def test_a_record_alone_is_singled_out() -> None:
    found = verdicts(["a"] * 20 + ["b"], ["x", "y", "z"] * 7)["singling out"]
    assert found.level == "high"
    assert found.sentence == "1 record (4.8%) is unique on its quasi-identifiers."
    found = verdicts(["a", "b"], ["x", "y"])["singling out"]
    assert found.sentence == "2 records (100%) are unique on their quasi-identifiers."


@pytest.mark.parametrize(("size", "level"), [(9, "medium"), (10, "low")])
def test_singling_out_is_low_from_the_acceptable_k_on(size: int, level: str) -> None:
    found = verdicts(["a"] * size + ["b"] * 30, [*"xyz"] * ((size + 30) // 3) + ["x"] * (size % 3))
    assert found["singling out"].level == level
    assert f"with {size - 1} others or more" in found["singling out"].sentence


@pytest.mark.parametrize(
    ("sizes", "level"),
    [((12, 12), "low"), ((11, 200), "medium"), ((11, 12), "medium"), ((10,), "high")],
)
def test_linkability_is_judged_by_what_regulators_accept(
    sizes: tuple[int, ...], level: str
) -> None:
    q = [f"class {i}" for i, size in enumerate(sizes) for _ in range(size)]
    assert verdicts(q, ["x"] * len(q))["linkability"].level == level


@pytest.mark.parametrize(
    ("n_same", "n_mixed", "level"),
    [(0, 50, "low"), (2, 50, "medium"), (4, 50, "high"), (2, 500, "low"), (5, 20_000, "low")],
)
def test_inference_is_judged_by_the_share_of_values_given_away(
    n_same: int, n_mixed: int, level: str
) -> None:
    q = ["given"] * n_same + ["mixed"] * n_mixed
    s = ["x"] * n_same + ["x", "y"] * (n_mixed // 2)
    found = verdicts(q, s)["inference"]
    assert found.level == level
    assert ("'s'" in found.sentence) == (n_same > 0)


def sample(n: int, weight: float, *, alone: int = 1, size: int = 20) -> dict[str, Verdict]:
    """Verdicts on a sample in which some records are alone and others share their keys."""
    q = [f"alone {i}" for i in range(alone)] + [f"class {i // size}" for i in range(n - alone)]
    frame = {"q": q, "s": ["x", "y"] * (n // 2), "w": [weight] * n}
    table = Table(frame, ROLES.model_copy(update={"weight": "w"}))
    scores = {measure.kind(): measure.score(None, table) for measure in MEASURES}
    return {one.question: one for one in table_verdicts(assess_table(table), scores)}


def test_one_who_is_alone_in_a_survey_is_not_alone_among_people() -> None:
    found = sample(1000, 500.0)
    assert found["singling out"].level == "low"
    assert "in this sample, but rarely in the population" in found["singling out"].sentence
    assert found["linkability"].level == "low"
    assert "100%" not in found["linkability"].sentence
    assert "not knowing who is in the sample" in found["linkability"].sentence


def test_individual_risk_tells_of_the_population_where_it_alone_was_measured() -> None:
    frame = {"q": [f"p{i}" for i in range(100)], "s": ["x", "y"] * 50, "w": [500.0] * 100}
    table = Table(frame, ROLES.model_copy(update={"weight": "w"}))
    scores = {"individual_risk": IndividualRisk().score(None, table)}
    found = table_verdicts(assess_table(table), scores)
    assert [one.level for one in found[:2]] == ["low", "low"]


def test_a_sample_of_everybody_is_judged_as_a_table() -> None:
    found = sample(1000, 1.0)
    assert found["singling out"].level == "high"
    assert "100% at worst" in found["linkability"].sentence


def test_a_sample_that_is_nearly_everybody_stays_risky() -> None:
    found = sample(1000, 1.2, alone=600)
    assert found["singling out"].level == found["linkability"].level == "high"


def test_a_one_per_cent_sample_of_uniques_is_not_high() -> None:
    found = sample(400, 100.0, alone=400)
    assert found["singling out"].level == found["linkability"].level == "low"


def test_attacks_on_a_sample_count_as_far_as_the_population_bears_them_out() -> None:
    frame = {"q": [f"p{i}" for i in range(100)], "s": ["x", "y"] * 50, "w": [500.0] * 100}
    table = Table(frame, ROLES.model_copy(update={"weight": "w"}))
    scores = {measure.kind(): measure.score(None, table) for measure in MEASURES}
    attacks = attack(5000, 0.9, 0.0, "singling_out") | {"record_linkage": linkage(0.9)}
    known = pair(scores | attacks, released=assess_table(table))
    assert known["singling out"].level == known["linkability"].level == "low"
    assert "in the population" in known["singling out"].sentence
    unknown = pair(attacks)
    assert unknown["singling out"].level == unknown["linkability"].level == "high"


def test_without_measures_classes_still_speak() -> None:
    found = verdicts(["a"] * 5, ["x"] * 5, measured=False)
    assert found["linkability"].level == "high"
    assert "20% at worst" in found["linkability"].sentence
    assert found["inference"].level == "unknown"


def test_nobody_is_at_risk_in_an_empty_table() -> None:
    assert {one.level for one in verdicts([], []).values()} == {"low"}


def test_without_a_column_beside_the_keys_there_is_no_inference() -> None:
    table = Table({"q": [1, 1]}, Roles(quasi_identifiers=["q"]))
    scores = {"attribute_disclosure": AttributeDisclosure().score(None, table)}
    assert table_verdicts(assess_table(table), scores)[2].level == "unknown"


def test_without_keys_nothing_is_assessed() -> None:
    table = Table({"x": [1, 2]}, Roles())
    assert {one.level for one in table_verdicts(assess_table(table), {})} == {"unknown"}


def test_sentences_hold_no_cell_values() -> None:
    found = verdicts(["CELL-a"] * 3 + ["CELL-b"], ["CELL-x"] * 4)
    assert not any("CELL" in one.sentence for one in found.values())


def attack(n: int, right: float, naive: float, kind: str = "linkability") -> dict[str, Score]:
    return {kind: Rates(Rate(n, right * n), Rate(n, naive * n)).score(kind)}


def pair(scores: Mapping[str, Score], **options: Any) -> dict[str, Verdict]:
    return {one.question: one for one in pair_verdicts(scores, **options)}


@pytest.mark.parametrize(
    ("right", "level"),
    [(0.1, "low"), (0.14, "low"), (0.2, "medium"), (0.27, "medium"), (0.4, "high")],
)
def test_an_attack_is_judged_by_what_it_wins_over_guessing(right: float, level: str) -> None:
    found = pair(attack(5000, right, 0.1))["linkability"]
    assert found.level == level
    assert "of 5,000 attempts, against 10% by guessing" in found.sentence


def test_few_attempts_do_not_prove_safety() -> None:
    assert pair(attack(5, 0.2, 0.2))["linkability"].level == "unknown"
    assert pair(attack(5000, 0.2, 0.2))["linkability"].level == "low"


@pytest.mark.parametrize("right", [0.2, 0.4, 0.6])
def test_few_attempts_prove_no_danger_either(right: float) -> None:
    found = pair(attack(5, right, 0.2))["linkability"]
    assert found.level == "unknown"
    assert found.sentence.startswith("Too few attempts to tell.")


def test_inference_without_a_control_has_statistics_included() -> None:
    alone = pair(attack(5000, 0.5, 0.1, "inference"))["inference"].sentence
    assert "statistical inference" in alone
    rates = Rates(Rate(2000, 900), Rate(2000, 10), Rate(2000, 800))
    beside = pair({"inference": rates.score("inference")})["inference"].sentence
    assert "statistical inference" not in beside
    assert "statistical inference" not in pair(attack(5000, 0.5, 0.1))["linkability"].sentence


def test_where_everybody_has_the_same_there_is_nothing_to_guess() -> None:
    assert pair(attack(5, 1.0, 1.0, "inference"))["inference"].level == "low"


def test_an_attack_that_was_not_made_leaves_the_question_open() -> None:
    assert {one.level for one in pair({}).values()} == {"unknown"}
    none = Rates(Rate(0, 0), Rate(0, 0)).score("linkability")
    assert pair({"linkability": none})["linkability"].level == "unknown"


def test_a_search_that_finds_no_question_singles_nobody_out() -> None:
    none = Rates(Rate(0, 0), Rate(10, 0)).score("singling_out", parts={"n_tried": 400})
    assert pair({"singling_out": none})["singling out"].level == "low"


def test_a_control_is_named_as_what_attacks_are_compared_with() -> None:
    rates = Rates(Rate(2000, 900), Rate(2000, 10), Rate(2000, 800))
    sentence = pair({"linkability": rates.score("linkability")})["linkability"].sentence
    assert "against 40% for people who were not in the data" in sentence


def linkage(share: float, chance: float = 0.001) -> Score:
    parts = {"n_records": 1000, "n_columns": 2, "chance": chance}
    return Score("record_linkage", share, parts=parts)


def test_the_worst_of_what_speaks_to_a_question_decides() -> None:
    found = pair(attack(5000, 0.1, 0.1) | {"record_linkage": linkage(0.9)})["linkability"]
    assert found.level == "high"
    assert "90% of cases, against 0.1% by guessing" in found.sentence
    assert pair({"record_linkage": linkage(0.5, 0.5)})["linkability"].level == "low"


def test_classes_of_the_release_speak_where_they_may_be_counted() -> None:
    table = Table({"q": [1, 2, 2], "s": [1, 2, 3]}, ROLES)
    calm = attack(5000, 0.1, 0.1, "singling_out")
    assert pair(calm)["singling out"].level == "low"
    assert pair(calm, released=assess_table(table))["singling out"].level == "high"


def test_people_alone_before_and_after_are_singled_out() -> None:
    score = Score("replicated_uniques", 0.3, parts={"n_replicated": 3})
    found = pair({"replicated_uniques": score})["singling out"]
    assert found.level == "high"
    assert found.sentence.startswith("3 people are unique")


def test_without_a_sensitive_column_there_is_nothing_to_infer() -> None:
    scores = attack(5000, 0.9, 0.1, "inference")
    assert pair(scores)["inference"].level == "high"
    assert pair(scores, has_secrets=False)["inference"].level == "low"
