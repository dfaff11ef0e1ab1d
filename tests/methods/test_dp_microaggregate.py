from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil import dp
from microveil.dp.coverage import coverage
from microveil.methods.dp_microaggregate import STEPS, _order

HUGE = 1e9


def step(**more: Any) -> mv.DpMicroaggregate:
    given = {"columns": "x", "bounds": {"x": (0, 100)}, "k": 2, "epsilon": HUGE}
    return mv.DpMicroaggregate.parse(given | more)


def test_without_noise_groups_of_near_records_get_their_average() -> None:
    found = step().protect({"x": [90.0, 10.0, 30.0, 70.0, 20.0]})
    # 10 and 20, then the rest, for two groups are all that five records make.
    assert found["x"].to_list() == pytest.approx([190 / 3, 15, 190 / 3, 190 / 3, 15], abs=1e-3)


def test_values_beyond_the_bounds_and_missing_ones_are_moved_to_public_places() -> None:
    found = step(k=1).protect({"x": [-5.0, 500.0, None]})
    assert found["x"].to_list() == pytest.approx([0, 100, 50], abs=1e-3)


def test_whole_numbers_stay_whole_and_within_their_bounds() -> None:
    found = step(epsilon=0.01).protect({"x": list(range(50))})
    assert found["x"].dtype == pl.Int64
    assert found["x"].is_between(0, 100).all()


rows = st.lists(st.tuples(st.integers(0, STEPS), st.integers(0, STEPS)), min_size=6, max_size=30)


@given(rows, st.data(), st.integers(1, 5))
def test_one_changed_record_moves_the_sums_by_what_was_proved(
    records: list[tuple[int, int]], data: Any, k: int
) -> None:
    place = data.draw(st.integers(0, len(records) - 1))
    changed = list(records)
    changed[place] = data.draw(st.tuples(st.integers(0, STEPS), st.integers(0, STEPS)))
    for columns in (1, 2):
        sums = []
        for one in (records, changed):
            codes = np.array(one, dtype=np.int64)[:, :columns]
            starts = np.arange(max(len(codes) // k, 1)) * k
            sums.append(np.add.reduceat(codes[_order(codes)], starts, axis=0))
        moved = int(np.abs(sums[0] - sums[1]).sum())
        given_ = step(
            columns=["x", "y"][:columns], bounds=dict.fromkeys("xy"[:columns], (0, 1)), k=k
        )
        allowed = given_._scale(len(sums[0])) * HUGE
        assert moved <= allowed


def test_the_noise_is_as_wide_as_the_facts_say() -> None:
    frame = pl.DataFrame({"x": np.full(4000, 50.0)})
    outcome = step(k=10, epsilon=2.0).apply(mv.Table(frame), np.random.default_rng(1))
    scale = outcome.facts["noise_scale"]["x"]
    assert scale == pytest.approx(100 / (10 * 2.0), rel=1e-6)
    spread = outcome.table.frame["x"].unique().to_numpy() - 50
    assert np.abs(spread).mean() == pytest.approx(scale, rel=0.3)


def test_the_released_set_shows_no_more_than_epsilon() -> None:
    others = [50.0] * 5

    def draw(mine: float) -> float:
        found = step(k=3, epsilon=1.0).protect({"x": [*others, mine]})
        return max(found["x"].to_list(), default=0.0)

    found = dp.audit(lambda: draw(100.0), lambda: draw(0.0), 600, confidence=0.999999)
    assert found.epsilon <= 1.0


@pytest.mark.slow
def test_the_released_set_shows_no_more_than_epsilon_in_many_draws() -> None:
    for k, others in ((1, [50.0] * 3), (3, [0.0] * 5), (6, [100.0] * 5)):

        def draw(mine: float, k: int = k, others: list[float] = others) -> float:
            found = step(k=k, epsilon=1.0).protect({"x": [*others, mine]})
            return float(found["x"].sum() or 0.0)

        found = dp.audit(lambda: draw(100.0), lambda: draw(0.0), 4000, confidence=0.999999)
        assert found.epsilon <= 1.0


def test_larger_groups_bring_less_noise() -> None:
    scales = []
    for k in (5, 50):
        frame = pl.DataFrame({"x": np.linspace(0, 100, 500), "y": np.linspace(0, 1, 500)})
        both = step(columns=["x", "y"], bounds={"x": (0, 100), "y": (0, 1)}, k=k, epsilon=1.0)
        facts = both.apply(mv.Table(frame), np.random.default_rng(1)).facts
        scales.append(facts["noise_scale"]["x"])
    assert scales[1] == pytest.approx(scales[0] / 100)


def test_several_rows_of_a_person_are_covered_when_they_are_declared() -> None:
    frame = {"x": [1.0, 2.0, 3.0, 4.0], "id": [1, 1, 2, 3]}
    roles = mv.Roles(entity="id")
    with pytest.raises(mv.InputError, match="rows_per_entity"):
        step().protect(frame, roles)
    table = mv.Table(frame, roles)
    one = step(epsilon=1.0).apply(mv.Table(frame), np.random.default_rng(1)).facts
    two = step(epsilon=1.0, rows_per_entity=2).apply(table, np.random.default_rng(1)).facts
    assert two["noise_scale"]["x"] == pytest.approx(2 * one["noise_scale"]["x"])


@pytest.mark.parametrize(
    ("raw", "hint"),
    [
        ({"bounds": {}}, "has no bounds"),
        ({"bounds": {"x": (0, 1), "y": (0, 1)}}, "not among the columns"),
        ({"bounds": {"x": (1, 1)}}, "below its upper"),
        ({"epsilon": 0}, "greater than 0"),
    ],
)
def test_a_step_without_bounds_is_refused(raw: dict[str, Any], hint: str) -> None:
    with pytest.raises(mv.SpecError, match=hint):
        step(**raw)


def test_too_few_records_and_texts_are_refused() -> None:
    with pytest.raises(mv.InputError, match="smaller k"):
        step(k=5).protect({"x": [1.0, 2.0]})
    with pytest.raises(mv.ColumnError, match="averages numbers"):
        step().protect({"x": ["a", "b"]})


def test_facts_are_the_same_whatever_the_data_say() -> None:
    facts = [
        step(epsilon=1.0).apply(mv.Table({"x": values}), np.random.default_rng(1)).facts
        for values in ([1.0, 2.0, 3.0, None], [90.0, 91.0, 5.0, 1.0])
    ]
    assert facts[0] == facts[1]


def test_a_release_says_what_is_covered_and_what_is_not() -> None:
    table = mv.Table({"x": [1.0, 2.0], "y": [1.0, 2.0], "name": ["a", "b"]})
    private = step(epsilon=0.5)
    answers = mv.RandomizedResponse(columns="y", epsilon=1.0, categories=[1, 2])
    assert coverage([mv.Drop(columns="name")], table, ["x"]) is None
    mixed = coverage([mv.Drop(columns="name"), private], table, ["x", "y"])
    assert mixed is not None
    assert (mixed.covered, mixed.uncovered, mixed.epsilon) == (("x",), ("y",), 0.5)
    assert not mixed.holds
    assert "not differentially private" in mixed.sentence
    whole = coverage([mv.Drop(columns="name"), private, answers], table, ["x", "y"])
    assert whole is not None
    assert whole.holds
    assert whole.epsilon == 1.5
    rounded = coverage([private, mv.Round(columns="x", base=10)], table, ["x"])
    assert rounded is not None
    assert rounded.holds


def test_a_step_that_looks_at_many_rows_breaks_the_coverage() -> None:
    table = mv.Table({"x": [1.0, 2.0], "y": [1.0, 2.0]})
    swap = mv.RankSwap(columns=["x"], range_share=0.5)
    before = coverage([swap, step()], table, ["x"])
    assert before is not None
    assert before.uncovered == ("x",)
    after = coverage([step(), mv.Microaggregate(columns=["x", "y"], k=2)], table, ["x"])
    assert after is not None
    assert after.uncovered == ("x",)
    gone = coverage([mv.SuppressRecords(k=2, columns=["y"]), step()], table, ["x"])
    assert gone is not None
    assert gone.uncovered == ("x",)
    assert "No released column" in gone.sentence
    alone = coverage([step(), swap], table, ["x"])
    assert alone is not None
    assert alone.holds
    assert math.isclose(alone.epsilon, HUGE)
