"""Who matches whom when a key is missing: every user of the rule tells the same story."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.errors import ColumnError
from microveil.methods.local_suppression.rows import coded_keys, distinct_rows
from microveil.populations.population_file import in_population
from microveil.tables.missing_keys import matched_entries, matched_sums, matching_sizes
from tests.privacy.naive import counts_for

cell = st.sampled_from([None, 1, 2])
tables = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.tuples(*[cell] * width), min_size=1, max_size=12)
)


def frame_of(rows: list[tuple[int | None, ...]]) -> tuple[pl.DataFrame, mv.Roles]:
    names = [f"q{i}" for i in range(len(rows[0]))]
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.Int64), orient="row")
    return frame, mv.Roles(quasi_identifiers=names)


def risks(measure: Any, frame: Any, roles: mv.Roles) -> Any:
    return measure.measure(frame, roles=roles).records


def story(frame: pl.DataFrame, roles: mv.Roles) -> dict[str, list[float]]:
    """How many records each record cannot be told from, by everything that counts them."""
    from microveil.kernels.blanking.wildcard_matches import wildcard_matches

    table = mv.Table(frame, roles)
    classes = mv.Classes.of(table, missing="wildcard")
    of_record = classes.record_class
    rows = distinct_rows(coded_keys(frame.select(roles.quasi_identifiers)))
    blanking = wildcard_matches(rows.codes, rows.counts, np.arange(len(rows.codes)))
    weights = roles.model_copy(update={"weight": "w"})
    doubled = mv.Table(frame.with_columns(pl.lit(2.0).alias("w")), weights)
    assert mv.KMap(k=2).check(doubled, missing="wildcard").achieved == 2 * classes.k
    return {
        "k_anonymity": classes.sizes[of_record].tolist(),
        "class_sizes": (1 / risks(mv.ClassSizes(missing="wildcard"), frame, roles)).tolist(),
        "individual_risk": (
            1 / risks(mv.IndividualRisk(missing="wildcard"), frame, roles)
        ).tolist(),
        "population file": in_population(classes, frame).counts[of_record].tolist(),
        "local_suppression": blanking[rows.row].tolist(),
    }


@given(tables)
@settings(deadline=None, max_examples=80)
def test_all_who_count_matches_count_the_same(rows: list[tuple[int | None, ...]]) -> None:
    frame, roles = frame_of(rows)
    expected = [sum(counts_for(other, one) for other in rows) for one in rows]
    for teller, told in story(frame, roles).items():
        assert told == pytest.approx(expected), teller
    shown = np.array([set(row) != {None} for row in rows])
    reidentified = risks(mv.ReidentificationRisk(missing="wildcard"), frame, roles)
    assert 1 / reidentified[shown] == pytest.approx(np.array(expected)[shown])
    uniques = mv.SpecialUniques(missing="wildcard").per_record(frame, roles=roles)
    alone = (np.array(expected) == 1) & shown
    assert (uniques["n_minimal_uniques"] > 0).to_list() == alone.tolist()


@given(tables, st.integers(2, 4))
@settings(deadline=None, max_examples=60)
def test_blanking_stops_exactly_where_the_promise_holds(
    rows: list[tuple[int | None, ...]], k: int
) -> None:
    frame, roles = frame_of(rows)
    if frame.height < k:
        return
    outcome = mv.LocalSuppression(k=k, missing="wildcard").apply(
        mv.Table(frame, roles), np.random.default_rng(0)
    )
    assert mv.KAnonymity(k=k).check(outcome.table, missing="wildcard").holds
    held_before = mv.KAnonymity(k=k).check(frame, roles, "wildcard").holds
    assert (outcome.facts["n_suppressed_cells"] == 0) == held_before


def test_four_blank_records_do_not_vouch_for_a_complete_one() -> None:
    frame = pl.DataFrame({"sex": ["f"] + [None] * 4, "age": [30] + [None] * 4})
    roles = mv.Roles(quasi_identifiers=["sex", "age"])
    check = mv.KAnonymity(k=5).check(frame, roles, "wildcard")
    assert (check.holds, check.achieved, check.n_broken) == (False, 1, 1)
    assert mv.ClassSizes(missing="wildcard").measure(frame, roles=roles).value == 1
    assert risks(mv.IndividualRisk(missing="wildcard"), frame, roles)[0] == 1
    assert mv.ReidentificationRisk(missing="wildcard").measure(frame, roles=roles).value == 1
    assert mv.assess(frame, roles, missing="wildcard").n_unique == 1
    step = mv.LocalSuppression(k=5, missing="wildcard")
    outcome = step.apply(mv.Table(frame, roles), np.random.default_rng(0))
    assert outcome.facts["n_suppressed_cells"] == 1
    assert mv.KAnonymity(k=5).check(outcome.table, missing="wildcard").holds


def test_of_a_single_key_a_blank_is_a_match_for_all_as_in_sdcmicro() -> None:
    keys = pl.DataFrame({"a": [1, 2, None]})
    assert matching_sizes(keys, np.array([1, 1, 4])).tolist() == [5, 5, 6]


def test_without_keys_everybody_matches_everybody() -> None:
    assert matching_sizes(pl.DataFrame(), np.array([7])).tolist() == [7]
    assert matching_sizes(pl.DataFrame(), np.array([], dtype=np.int64)).tolist() == []


@given(tables, st.lists(st.integers(0, 2), min_size=12, max_size=12))
@settings(deadline=None, max_examples=60)
def test_values_of_a_class_are_those_of_all_its_matches(
    rows: list[tuple[int | None, ...]], values: list[int]
) -> None:
    frame, roles = frame_of(rows)
    classes = mv.Classes.of(mv.Table(frame, roles))
    held = pl.DataFrame({"class": classes.record_class, "value": values[: len(rows)]})
    counted = held.group_by("class", "value").len("n").sort("class", "value")
    entries: Any = tuple(counted[name].cast(pl.Int64).to_numpy() for name in counted.columns)
    found = matched_entries(classes.keys, entries)
    ours = {(int(c), int(v)): int(n) for c, v, n in zip(*found, strict=True)}
    theirs: dict[tuple[int, int], int] = {}
    for number, one in enumerate(classes.keys.rows()):
        for other, value in zip(rows, values, strict=False):
            if counts_for(other, one):
                theirs[number, value] = theirs.get((number, value), 0) + 1
    assert ours == theirs


def test_keys_that_are_missing_together_count_as_one_however_many_there_are() -> None:
    blank = {f"q{i}": [1, None, 2] for i in range(80)}
    keys = pl.DataFrame(blank | {"x": [1, 1, 1]})
    assert matched_sums(keys, np.ones(3)).ravel().tolist() == [2, 3, 2]


def test_too_many_keys_with_gaps_of_their_own_are_refused() -> None:
    keys = pl.DataFrame({f"q{i}": [None if j == i else 1 for j in range(70)] for i in range(70)})
    with pytest.raises(ColumnError, match="at most 62 keys with gaps"):
        matched_sums(keys, np.ones(70))
