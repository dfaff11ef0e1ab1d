"""People who have several rows: counted as people, linked or not, whatever steps do."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.tables import LazyTable, Missing
from microveil.tables.people import linked_by, number_people, sets_of
from tests.privacy.naive import counts_for

Row = tuple[Any, ...]
ROLES = mv.Roles(quasi_identifiers=["a", "b"], entity="id", weight="w")

rows = st.lists(
    st.tuples(st.integers(1, 5), st.sampled_from([0, 1, None]), st.sampled_from([0, 1, None])),
    min_size=1,
    max_size=14,
)


def table_of(records: list[Row]) -> mv.Table:
    schema = {"id": pl.Int64, "a": pl.Int64, "b": pl.Int64}
    frame = pl.DataFrame(records, schema=schema, orient="row")
    return mv.Table(frame.with_columns((pl.col("id") * 1.5).alias("w")), ROLES)


def key_sets(records: list[Row]) -> dict[int, frozenset[Row]]:
    return {who: frozenset(row[1:] for row in records if row[0] == who) for who, *_ in records}


@given(rows)
@settings(deadline=None, max_examples=80)
def test_linked_people_are_alike_when_all_their_rows_are(records: list[Row]) -> None:
    classes = mv.Classes.of(table_of(records))
    sets = key_sets(records)
    alike = {who: [w for w, other in sets.items() if other == mine] for who, mine in sets.items()}
    assert classes.of_records(classes.sizes).tolist() == [len(alike[row[0]]) for row in records]
    assert classes.k == min(map(len, alike.values()))
    assert int(classes.counts.sum()) == len(sets)
    assert int(classes.record_counts.sum()) == classes.n_records == len(records)
    population = classes.count_matches()[:, 1][classes.record_class]
    assert population == pytest.approx([sum(1.5 * w for w in alike[row[0]]) for row in records])
    assert classes.n_people == pytest.approx(1.5 * sum(sets))
    hidden = [all(key == (None, None) for key in sets[row[0]]) for row in records]
    assert classes.all_missing[classes.record_class].tolist() == hidden


@pytest.mark.parametrize("missing", ["category", "wildcard"])
@given(records=rows)
@settings(deadline=None, max_examples=80)
def test_unlinked_rows_count_the_people_they_cannot_be_told_from(
    missing: Missing, records: list[Row]
) -> None:
    def alike(one: Row) -> set[int]:
        fits = counts_for if missing == "wildcard" else (lambda x, y: x == y)
        return {other[0] for other in records if fits(other[1:], one[1:])}

    table = table_of(records).drop(["id"])
    classes = mv.Classes.of(table, missing=missing)
    found = classes.count_matches()[classes.record_class]
    assert classes.of_records(classes.sizes).tolist() == [len(alike(row)) for row in records]
    assert found[:, 0].tolist() == [len(alike(row)) for row in records]
    assert found[:, 1] == pytest.approx([sum(1.5 * w for w in alike(row)) for row in records])
    assert mv.KAnonymity(k=2).verify(classes).achieved == min(len(alike(row)) for row in records)
    least = min(sum(1.5 * w for w in alike(row)) for row in records)
    assert mv.KMap(k=2).verify(classes).achieved == pytest.approx(least)


@given(rows)
@settings(deadline=None, max_examples=40)
def test_a_plan_counts_people_as_the_table_does(records: list[Row]) -> None:
    table = table_of(records)
    plan = LazyTable(table.frame.lazy(), ROLES)
    for missing in ("category", "wildcard"):
        one, other = (mv.Classes.of(data, missing=missing) for data in (table, plan))
        assert sorted(one.sizes.tolist()) == sorted(other.sizes.tolist())
        assert one.k == other.k


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=30))
def test_sets_have_one_number_exactly_where_they_are_equal(pairs: list[tuple[int, int]]) -> None:
    people = np.unique([who for who, _ in pairs], return_inverse=True)[1]
    values = np.array([value for _, value in pairs])
    found = sets_of(people, values)
    sets = [frozenset(values[people == who].tolist()) for who in range(int(people.max()) + 1)]
    for one, other in combinations(range(len(sets)), 2):
        assert (found.of_person[one] == found.of_person[other]) == (sets[one] == sets[other])
    for who, mine in enumerate(sets):
        number = found.of_person[who]
        members = found.members[found.start[number] : found.start[number + 1]]
        assert members.tolist() == sorted(mine)


def test_a_released_pseudonym_links_the_two_towns_of_a_person() -> None:
    pairs = list(combinations("abcdefgh", 2))
    frame = pl.DataFrame(
        {
            "id": [f"p{i}" for i in range(28) for _ in range(2)],
            "town": [town for pair in pairs for town in pair],
        }
    )
    roles = mv.Roles(quasi_identifiers=["town"], entity="id")
    require = [mv.KAnonymity(k=5)]
    key = mv.Pseudonymize(columns=["id"])
    kept = mv.run(mv.Recipe(roles=roles, steps=[key], require=require), frame)
    assert (kept.holds, kept.checks[0].achieved) == (False, 1)
    assert kept.risk.k == 1
    dropped = mv.run(
        mv.Recipe(roles=roles, steps=[mv.Drop(columns=["id"])], require=require), frame
    )
    assert (dropped.holds, dropped.checks[0].achieved) == (True, 7)
    assert "id" not in dropped.data.columns


def test_people_stay_people_when_their_id_is_dropped() -> None:
    frame = {"id": [1, 1, 1, 2], "q": ["x"] * 4, "s": ["a", "b", "c", "a"]}
    roles = mv.Roles(quasi_identifiers=["q"], sensitive=["s"], entity="id")
    recipe = mv.Recipe(roles=roles, steps=[mv.Drop(columns=["id"])], require=[mv.KAnonymity(k=3)])
    release = mv.run(recipe, frame)
    assert (release.holds, release.checks[0].achieved, release.risk.k) == (False, 2, 2)
    table = release.table
    assert table.people is not None
    assert table.take(np.array([3, 0])).people.tolist() == [1, 0]  # type: ignore[union-attr]
    kept = table.filter(np.array([True, True, False, True]))
    assert kept.people.tolist() == [0, 0, 1]  # type: ignore[union-attr]
    assert kept.with_columns([pl.Series("z", [1, 2, 3])]).people is not None
    assert mv.ClassSizes().measure(table).value == 0.5
    assert mv.IndividualRisk().measure(table).parts["n_people"] == 2


def test_an_id_that_no_longer_tells_people_apart_links_nothing() -> None:
    table = mv.Table(
        {"id": [1, 1, 2, 2], "q": ["x", "y", "x", "y"]},
        mv.Roles(quasi_identifiers=["q"], entity="id"),
    )
    assert table.linked
    assert mv.KAnonymity(k=2).check(table).holds
    each = table.with_columns([pl.Series("id", [1, 2, 3, 4])])
    assert not each.linked
    assert mv.KAnonymity(k=2).check(each).achieved == 2
    merged = table.with_columns([pl.Series("id", [1, 1, 1, 1])])
    assert not merged.linked
    check = mv.KAnonymity(k=2).check(merged)
    assert check.achieved == 2
    assert check.notes == ()  # nobody can be told from another by it
    assert linked_by(pl.Series(["b", "b", "a"]), number_people(pl.Series([7, 7, None])))


def test_records_of_one_person_with_blanks_do_not_vouch_for_each_other() -> None:
    frame = {"id": [1, 1, 2, 2], "a": ["x", "x", "y", "y"], "b": ["p", None, "q", None]}
    roles = mv.Roles(quasi_identifiers=["a", "b"], entity="id")
    check = mv.KAnonymity(k=2).check(frame, roles, "wildcard")
    assert (check.holds, check.achieved) == (False, 1)
    assert "each row was assessed separately" in check.sentence()
    assert check.to_dict()["notes"] == list(check.notes)
    models = [
        mv.AverageRisk(threshold=0.6),
        mv.AlphaKAnonymity(alpha=1, k=2, column="a"),
        mv.KMap(k=2, population_size=4),
    ]
    assert not any(model.check(frame, roles, "wildcard").holds for model in models)
    uniques = mv.PopulationUniqueness(threshold=0.1, sampling_share=0.9, estimator="zayatz")
    assert uniques.check(frame, roles, "wildcard").achieved > 0.1
    weighted = {**frame, "w": [2.0] * 4}
    present = mv.DeltaPresence(maximum=0.4).check(
        weighted, roles.model_copy(update={"weight": "w"}), "wildcard"
    )
    assert present.achieved == 0.5


def test_a_weight_counts_once_for_a_person() -> None:
    frame = {"id": [1, 1, 1, 2], "q": ["x"] * 4, "w": [2.0] * 4}
    roles = mv.Roles(quasi_identifiers=["q"], entity="id", weight="w")
    for table in (mv.Table(frame, roles), mv.Table(frame, roles).drop(["id"])):
        assert mv.KMap(k=2).check(table).achieved == 4
        assert mv.DeltaPresence(maximum=0.9).check(table).achieved == 0.5
        assert mv.IndividualRisk().measure(table).parts["population_size"] == 4
        assert mv.PopulationRisk(estimator="zayatz").measure(table).parts["population_size"] == 4


def test_a_population_is_looked_up_row_by_row_and_the_check_says_so() -> None:
    frame = {"id": [1, 1, 2], "q": ["x", "y", "x"]}
    roles = mv.Roles(quasi_identifiers=["q"], entity="id")
    town = pl.DataFrame({"q": ["x"] * 5 + ["y"] * 3})
    classes = mv.Classes.of(mv.Table(frame, roles))
    mapped = mv.KMap(k=3).against(classes, town)
    assert (mapped.achieved, len(mapped.notes)) == (3, 2)
    present = mv.DeltaPresence(maximum=0.5).against(classes, town)
    assert (present.achieved, len(present.notes)) == (0.4, 2)


@given(rows)
@settings(deadline=None, max_examples=40)
def test_the_average_risk_is_the_same_wherever_it_is_told(records: list[Row]) -> None:
    whole = table_of(records)
    for table in (whole, whole.drop(["id"])):
        for missing in ("category", "wildcard"):
            told = mv.AverageRisk(threshold=1).check(table, missing=missing).achieved
            assessed = mv.assess(table, missing=missing, measures=["class_sizes"])
            assert assessed.to_dict()["average_risk"] == pytest.approx(told)
            assert assessed.scores["class_sizes"].parts["average_risk"] == pytest.approx(told)


def test_shares_of_values_are_shares_of_people() -> None:
    frame = {"id": [1, 1, 2, 3], "q": ["x"] * 4, "s": ["a", "b", "a", "c"]}
    roles = mv.Roles(quasi_identifiers=["q"], sensitive=["s"], entity="id")
    check = mv.AlphaKAnonymity(alpha=0.5, k=2).check(frame, roles)
    assert check.achieved == pytest.approx(2 / 3)
    chosen = mv.AlphaKAnonymity(alpha=0.5, k=2, value="b").check(frame, roles)
    assert chosen.achieved == pytest.approx(1 / 3)


def test_sets_of_numbers_have_no_distance_and_the_check_says_so() -> None:
    frame = {"id": [1, 1, 2, 3], "q": ["x", "x", "x", "y"], "s": [1, 2, 1, 3]}
    roles = mv.Roles(quasi_identifiers=["q"], sensitive=["s"], entity="id")
    check = mv.TCloseness(t=0.5, distance="ordered").check(frame, roles)
    assert "count once for each" in check.sentence()
    assert mv.TCloseness(t=0.5).check(frame, roles).notes == ()
