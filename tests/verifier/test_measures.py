"""Every number that is worked out again here is the one that the measure gives, by each door."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from tests.verifier import attacked, measured

ROLES = mv.Roles(quasi_identifiers=measured.KEYS, sensitive=["ill"])
seeds = pytest.mark.parametrize("seed", range(4))


def pair(seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """A small random table, and a release of it with wrong numbers and categories."""
    rng = np.random.default_rng([seed, 99])
    n = 25 + seed
    before = pl.DataFrame(
        {
            "age": rng.integers(20, 40, n),
            "town": rng.choice(["a", "b", "c"], n),
            "pay": rng.integers(-3, 30, n) * 10.0,
            "ill": rng.choice(["x", "y"], n),
        }
    )
    after = before.with_columns(
        age=pl.col("age") + pl.Series(rng.integers(-2, 3, n)),
        town=pl.Series(np.where(rng.random(n) < 0.3, "a", before["town"].to_numpy())),
        pay=pl.col("pay") + pl.Series(rng.integers(-1, 2, n) * 5.0),
    )
    return before, after


def measure(name: str) -> mv.UtilityMeasure:
    settings = {"distribution_distance": {"columns": ["town"], "pairs": False}}
    return mv.UTILITY_MEASURES.parse({"name": name, **settings.get(name, {})})


@seeds
@pytest.mark.parametrize("name", list(measured.UTILITY))
def test_utility_is_what_its_page_says_by_every_door(name: str, seed: int) -> None:
    before, after = pair(seed)
    expected = measured.UTILITY[name](before.to_dicts(), after.to_dicts())
    spec = measure(name)
    assert spec.measure(before, after, roles=ROLES).value == pytest.approx(expected)
    found = mv.compare(before, after, ROLES, measures=[spec], aligned=True).utility
    assert found[name].value == pytest.approx(expected)


@seeds
def test_risk_by_classes_is_what_its_page_says(seed: int) -> None:
    rows = pair(seed)[1]
    risks = measured.risks(rows.to_dicts())
    plain = {
        "class_sizes": max(risks),
        "individual_risk": sum(risks) / len(risks),
        "reidentification_risk": max(risks),
        "attribute_disclosure": measured.disclosed(rows.to_dicts()),
    }
    for name, expected in plain.items():
        found = mv.RISK_MEASURES.parse({"name": name}).measure(rows, roles=ROLES)
        assert found.value == pytest.approx(expected), name
    asked = [mv.limit(mv.RISK_MEASURES.parse({"name": name}), at_most=1) for name in plain]
    checks = mv.run(mv.Recipe(roles=ROLES, require=asked), rows).checks
    assert [one.achieved for one in checks] == pytest.approx(list(plain.values()))


@seeds
def test_replicated_uniques_are_counted_one_by_one(seed: int) -> None:
    before, after = pair(seed)
    found = mv.ReplicatedUniques().measure(before, after, roles=ROLES)
    assert found.value == pytest.approx(measured.replicated(before.to_dicts(), after.to_dicts()))


@seeds
def test_single_values_single_out_as_often_as_by_looking_at_everybody(seed: int) -> None:
    before, after = pair(seed)
    rows = before.to_dicts(), after.to_dicts()
    alone = mv.SinglingOut(columns=["pay"], mode="univariate").measure(before, after)
    assert alone.parts["attack"]["rate"] == pytest.approx(attacked.singled_out(*rows, "pay"))


@seeds
@pytest.mark.parametrize("width", [3, 7])
def test_intervals_lose_the_values_they_leave_possible(seed: int, width: int) -> None:
    before, _ = pair(seed)
    hierarchy = {"hierarchy": "intervals", "width": width}
    step = mv.Generalize(column="age", hierarchy=hierarchy, level=1)
    release = mv.run(mv.Recipe(roles=ROLES, steps=[step]), before, seed=1)
    ends = [
        tuple(int(end) for end in label.strip("[)").split(", "))
        for label in release.table.frame["age"].to_list()
    ]
    expected = attacked.generalization_loss(before["age"].to_list(), ends)  # type: ignore[arg-type]  # two ends each
    found = mv.GeneralizationLoss(columns=["age"]).measure(before, release.table)
    assert found.value == pytest.approx(expected)


@seeds
def test_cells_that_the_privacy_rule_forbids_are_counted_one_by_one(seed: int) -> None:
    rng = np.random.default_rng([seed, 7])
    n = 60
    first = dt.date(2019, 12, 20)
    days = [first + dt.timedelta(days=int(day)) for day in rng.integers(0, 40, n)]
    frame = pl.DataFrame(
        {
            "seen": days,
            "note": [str(day) if rng.random() < 0.5 else str(day.year) for day in days],
            "age": rng.integers(80, 100, n),
            "born": rng.integers(1930, 1945, n),
            "zip": rng.choice(["021", "036", "02138", "893**", "*"], n),
        }
    )
    small = {"036", "059", "063", "102", "203", "556", "692", "790", "821", "823", "830", "831"}
    small |= {"878", "879", "884", "890", "893"}

    def forbidden(row: dict[str, Any]) -> int:
        digits = row["zip"].strip("*")
        return sum(
            [
                True,  # a day is finer than a year
                "-" in row["note"],
                row["age"] > 90,
                row["born"] < 2026 - 89,
                len(digits) > 3 or digits in small,
            ]
        )

    measure = mv.SafeHarbor(ages=["age"], births=["born"], postcodes=["zip"], year=2026)
    assert measure.measure(frame).value == sum(forbidden(row) for row in frame.to_dicts())


@seeds
def test_the_rarest_places_of_a_path_are_found_by_looking_at_everybody(seed: int) -> None:
    rng = np.random.default_rng([seed, 8])
    visits = pl.DataFrame({"who": rng.integers(0, 12, 50), "place": rng.choice([*"abcdef"], 50)})
    paths: dict[int, Counter[str]] = defaultdict(Counter)
    for who, place in visits.rows():
        paths[who][place] += 1

    def risk(own: Counter[str]) -> float:
        known = [Counter(some) for some in combinations(own.elements(), min(2, own.total()))]
        return max(1 / sum(one <= path for path in paths.values()) for one in known)

    found = mv.TrajectoryRisk(columns=["place"]).measure(visits, roles=mv.Roles(entity="who"))
    assert found.value == pytest.approx(max(risk(own) for own in paths.values()))
    assert found.parts["mean_risk"] == pytest.approx(np.mean([risk(own) for own in paths.values()]))


@seeds
def test_cells_lose_what_they_moved_or_that_they_are_wrong(seed: int) -> None:
    before, after = pair(seed)
    ages, told = before["age"].to_list(), after["age"].to_list()
    apart = np.mean([abs(one - other) for one, other in combinations(ages, 2)])
    moved = [min(abs(a - b) / apart, 1) for a, b in zip(ages, told, strict=True)]
    expected = (np.mean(moved) + float((before["town"] != after["town"]).mean())) / 2  # type: ignore[arg-type]
    found = mv.CellLoss(columns=["age", "town"]).measure(before, after)
    assert found.value == pytest.approx(expected)


@seeds
def test_a_strategy_is_scored_by_its_three_terms(seed: int) -> None:
    before, _ = pair(seed)
    rng = np.random.default_rng([seed, 9])
    gone = rng.random(before.height) < 0.2
    towns = before["town"].replace({"b": "c"})
    after = before.with_columns(
        town=pl.Series([None if no else town for no, town in zip(gone, towns, strict=True)]),
        pay=pl.col("pay") + pl.Series(rng.integers(-1, 2, before.height) * 5.0),
    )
    moves = (before["pay"] - after["pay"]).abs() / (np.sqrt(2) * float(before["pay"].std()))  # type: ignore[arg-type]
    levels = 1 - after["town"].drop_nulls().n_unique() / before["town"].n_unique()
    expected = (gone.mean() + levels + float(moves.mean())) / 3
    found = mv.StrategyScore(keys=["town"], numbers=["pay"]).measure(before, after)
    assert found.value == pytest.approx(expected)


def test_every_measure_is_worked_out_again_somewhere_here() -> None:
    text = "".join(path.read_text() for path in Path(__file__).parent.rglob("*.py"))
    measures = {**mv.RISK_MEASURES.classes, **mv.UTILITY_MEASURES.classes}
    assert len(measures) > 40
    assert not [
        name
        for name, one in measures.items()
        if not re.search(rf'\bmv\.{one.__name__}\(|"{name}"', text)
    ]
