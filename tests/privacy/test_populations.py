from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from microveil.errors import FileError, InputError, SpecError
from microveil.files import write
from microveil.hierarchies import beside
from microveil.populations.population_file import in_population
from microveil.privacy.delta_presence import DeltaPresence
from microveil.privacy.k_map import KMap
from microveil.tables import Classes, Missing, Roles, Table
from tests.privacy import naive

SEX = Roles(quasi_identifiers=["sex"])


def may_be(one: naive.Row, other: naive.Row, missing: Missing) -> bool:
    return one == other if missing == "category" else naive.counts_for(other, one)


@pytest.mark.parametrize("missing", ["category", "wildcard"])
@given(table=naive.rows, people=naive.rows)
def test_the_people_who_may_be_a_record_are_counted(
    missing: Missing, table: list[naive.Row], people: list[naive.Row]
) -> None:
    classes = naive.classes_of(table, missing)
    found = in_population(classes, naive.frame_of(people))
    keys = classes.keys.rows()
    expected = [sum(may_be(key, person[:-1], missing) for person in people) for key in keys]
    outside = [p for p in people if not any(may_be(key, p[:-1], missing) for key in keys)]
    assert found.counts.tolist() == expected
    assert found.n_outside == len(outside)


@pytest.mark.parametrize("missing", ["category", "wildcard"])
@given(table=naive.rows, people=naive.rows)
def test_presence_and_map_follow_from_the_counts(
    missing: Missing, table: list[naive.Row], people: list[naive.Row]
) -> None:
    classes = naive.classes_of(table, missing)
    population = naive.frame_of(people)
    counts = in_population(classes, population).counts
    mapped = KMap(k=3).against(classes, population)
    assert mapped.achieved == counts.min()
    assert mapped.broken_in.tolist() == np.flatnonzero(counts < 3).tolist()
    present = DeltaPresence(maximum=0.5).against(classes, population)
    shares = [
        size / count if count else np.inf for size, count in zip(classes.sizes, counts, strict=True)
    ]
    assert present.achieved == max(shares)
    assert len(present.broken_in) == sum(share > 0.5 for share in shares)


def test_people_known_to_be_absent_break_a_minimum() -> None:
    classes = Classes.of(Table({"sex": ["f", "f"]}, SEX))
    town = pl.DataFrame({"sex": ["f", "f", "f", "m"]})
    check = DeltaPresence(minimum=0.1, maximum=0.9).against(classes, town)
    assert (check.holds, check.n_broken, check.parts["lowest"]) == (False, 0, 0.0)
    assert "required 0.1 to 0.9, reached 0 to 0.666667" in check.sentence()
    assert DeltaPresence(maximum=0.9).against(classes, town).holds


def test_a_population_coded_otherwise_is_pointed_out() -> None:
    classes = Classes.of(Table({"sex": ["f", "f"]}, SEX))
    check = DeltaPresence(maximum=1).against(classes, pl.DataFrame({"sex": ["female"] * 9}))
    assert not check.holds
    assert "1 classes not in the population" in check.sentence()


def test_a_population_file_is_found_beside_the_recipe(tmp_path: Path) -> None:
    (tmp_path / "town.csv").write_text("zip,sex\n0800,f\n0800,f\n0900,m\n", encoding="utf-8")
    table = {"zip": ["0800", "0900"]}
    roles = Roles(quasi_identifiers=["zip"])
    with beside(tmp_path):
        assert KMap(k=2, population="town.csv").check(table, roles).achieved == 1
        check = DeltaPresence(maximum=0.5, population="town.csv").check(table, roles)
    assert (check.achieved, check.n_broken) == (1, 1)


def test_numbers_meet_their_text(tmp_path: Path) -> None:
    path = tmp_path / "town.csv"
    path.write_text("age\n30\n30\n41\n", encoding="utf-8")
    table = {"age": [30.0, 41.0]}
    model = KMap(k=2, population=str(path))
    assert model.check(table, Roles(quasi_identifiers=["age"])).n_broken == 1
    written = Table({"age": pl.Series(["30", "41"])}, Roles(quasi_identifiers=["age"]))
    assert model.check(written).n_broken == 1


def test_a_population_that_is_not_there_or_lacks_a_key_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "town.csv"
    with pytest.raises(FileError, match=r"town\.csv"):
        KMap(k=2, population=str(path)).check({"sex": ["f"]}, SEX)
    path.write_text("age\n30\n", encoding="utf-8")
    with pytest.raises(InputError, match="'sex'"):
        KMap(k=2, population=str(path)).check({"sex": ["f"]}, SEX)


@pytest.mark.parametrize("model", [KMap(k=2), DeltaPresence(maximum=0.5)])
def test_weights_stand_for_the_population_or_something_is_asked_for(
    model: KMap | DeltaPresence,
) -> None:
    with pytest.raises(InputError, match=f"{model.kind()} needs a population"):
        model.check({"sex": ["f"]}, SEX)
    roles = Roles(quasi_identifiers=["sex"], weight="w")
    frame = {"sex": ["f", "f", "m"], "w": [2.5, 4, 1.5]}
    assert model.check(frame, roles).n_broken == 1


def test_weights_of_records_with_a_wildcard_count_for_all_they_may_be() -> None:
    roles = Roles(quasi_identifiers=["sex"], weight="w")
    frame = {"sex": ["f", "m", None], "w": [1.0, 2.0, 4.0]}
    check = KMap(k=5).check(frame, roles, "wildcard")
    assert (check.achieved, check.holds) == (5, True)


def test_estimation_needs_a_population_at_least_as_large_as_the_table() -> None:
    with pytest.raises(InputError, match="3 records, more than a population of 2"):
        KMap(k=2, population_size=2).check({"sex": ["f"] * 3}, SEX)


def test_a_whole_population_must_have_k_itself() -> None:
    model = KMap(k=4, sampling_share=1)
    assert model.estimated_k(1000) == 4
    assert KMap(k=4, sampling_share=1).check({"sex": []}, SEX).holds


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 2, "population": "x.csv", "sampling_share": 0.1},
        {"k": 2, "population_size": 10, "sampling_share": 0.1},
    ],
)
def test_a_population_is_given_in_one_way(wrong: dict[str, object]) -> None:
    with pytest.raises(SpecError, match="not both"):
        KMap.parse({"model": "k_map", **wrong})


def test_a_minimum_above_the_maximum_is_refused() -> None:
    with pytest.raises(SpecError, match="minimum"):
        DeltaPresence.parse({"model": "delta_presence", "minimum": 0.5, "maximum": 0.2})


@pytest.mark.parametrize("missing", ["category", "wildcard"])
def test_without_a_key_everybody_of_the_population_counts(missing: Missing, tmp_path: Path) -> None:
    town = tmp_path / "town.csv"
    pl.DataFrame({"sex": ["f", "m", "m"], "age": [1, 2, 3]}).write_csv(town)
    table = Table({"sex": ["f", "m"]}, SEX).drop(["sex"])
    nobody = Table({"x": [1, 2]})
    for one in (table, nobody):
        assert KMap(k=3, population=str(town)).check(one, missing=missing).achieved == 3
        present = DeltaPresence(maximum=0.7, population=str(town)).check(one, missing=missing)
        assert present.achieved == (2 / 3 if one.height else 0)


def test_numbers_of_a_population_that_became_labels_are_found(tmp_path: Path) -> None:
    town = pl.DataFrame({"pay": [1.0, 1.0, -0.0, 1.5], "ok": [True, False, True, True]})
    for name in ("town.parquet", "town.jsonl"):
        write(town, tmp_path / name)
        labels = {"pay": ["1", "0", "1.5"]}
        check = KMap(k=2, population=str(tmp_path / name)).check(
            labels, Roles(quasi_identifiers=["pay"])
        )
        assert (check.achieved, check.n_broken) == (1, 2)
