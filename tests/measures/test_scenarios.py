"""A measure is taken of what each intruder knows, and of nothing else."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.measures.scenarios import scenario_scores, seen_by_each
from microveil.measures.subject import Subject
from microveil.tables import Table
from tests.conformance import cases

N = 60
ROLES = mv.Roles(
    quasi_identifiers=["sex"], sensitive=["ill"], scenarios={"all": ["house"], "few": ["sex"]}
)
ALONE = ("outside_linkage", "safe_harbor", "interval_disclosure", "value_disclosure")
"""Risk measures in which no column is known: a file says what is, or nothing need be."""


def people() -> pl.DataFrame:
    rng = np.random.default_rng(1)
    return pl.DataFrame(
        {
            "sex": rng.integers(0, 2, N),
            "house": np.arange(N) * 10,
            "pay": rng.integers(0, 9, N) * 100.0,
            "ill": rng.choice(["a", "b"], N),
        }
    )


def subject(roles: mv.Roles = ROLES) -> Subject:
    table = Table(people(), roles)
    return Subject(table, table)


@pytest.mark.parametrize("name", sorted(set(mv.RISK_MEASURES.classes) - {*ALONE}))
def test_whoever_knows_a_key_that_is_unique_is_seen_by_every_measure_of_risk(name: str) -> None:
    measure = cases.RISK[name]
    assert measure.by_scenario
    found = scenario_scores({name: measure}, subject())
    if name == "nearest_neighbour_ratio":  # of one number: a record between two is near neither
        return
    assert found["all"][name].value > max(found["few"][name].value, 0.1)


@pytest.mark.parametrize("name", [*mv.RISK_MEASURES.classes, *mv.UTILITY_MEASURES.classes])
def test_a_measure_that_is_taken_once_does_not_depend_on_the_keys(name: str) -> None:
    measure = {**cases.RISK, **cases.UTILITY}[name]
    if measure.by_scenario:
        return
    scores = []
    for keys in (["sex"], ["house", "pay"]):
        frame = people()
        tables = [frame] if not measure.needs_original else [frame, frame.with_columns(pay=7.0)]
        roles = mv.Roles(quasi_identifiers=keys)
        scores.append(measure.measure(*tables, roles=roles))  # type: ignore[attr-defined]  # both kinds have it
    assert scores[0].value == pytest.approx(scores[1].value)


def test_a_measure_that_is_told_what_is_known_is_taken_once() -> None:
    told = mv.RecordLinkage(columns=["sex"])
    assert [name for name, _, _ in seen_by_each(told, subject())] == [None]
    assert [name for name, _, _ in seen_by_each(mv.CellChanges(), subject())] == [None]
    each = [name for name, _, _ in seen_by_each(mv.ClassSizes(), subject())]
    assert each == [None, "all", "few"]


def test_scenarios_stand_alone_where_there_are_no_quasi_identifiers() -> None:
    roles = mv.Roles(scenarios={"all": ["house"]})
    assert [name for name, _, _ in seen_by_each(mv.ClassSizes(), subject(roles))] == ["all"]
    attack = [name for name, _, _ in seen_by_each(mv.RecordLinkage(), subject(roles))]
    assert attack == [None, "all"]  # without keys, every column is known


def test_a_scenario_of_which_nothing_is_released_leaves_nothing_to_measure() -> None:
    original = Table(people(), ROLES)
    released = Table(people().drop("house"), ROLES.without(["house"]))
    seen = seen_by_each(mv.ClassSizes(), Subject(original, released))
    assert [name for name, _, _ in seen] == [None, "few"]


def test_an_attack_by_numbers_is_not_carried_out_without_any() -> None:
    roles = mv.Roles(
        quasi_identifiers=["pay"], scenarios={"words": ["ill"], "both": ["ill", "pay"]}
    )
    seen = {name: told for name, told, _ in seen_by_each(mv.NoiseFiltering(), subject(roles))}
    assert set(seen) == {None, "both"}
    assert seen["both"].columns == ("pay",)  # type: ignore[attr-defined]  # it has the field
