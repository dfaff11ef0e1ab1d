from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, SpecError
from microveil.methods.rank_swap import RankSwap
from microveil.tables import Roles, Table

values = st.lists(st.integers(-5, 5) | st.none(), max_size=60)
shares = st.floats(0.01, 1)
variants = st.sampled_from(["sequential", "blocks", "chained"])
seeds = st.integers(0, 2**32)


def swapped(column: pl.Series, seed: int = 1, **parameters: object) -> pl.Series:
    step = RankSwap.parse({"columns": [column.name], **parameters})
    after: pl.Series = step.protect(column.to_frame(), seed=seed)[column.name]
    return after


@given(values, shares, variants, seeds)
def test_the_values_stay_exactly_and_gaps_stay_gaps(
    cells: list[int | None], share: float, variant: str, seed: int
) -> None:
    before = pl.Series("x", cells, dtype=pl.Int64)
    after = swapped(before, seed, range_share=share, variant=variant)
    assert Counter(after.to_list()) == Counter(cells)
    assert after.is_null().equals(before.is_null())
    assert after.dtype == before.dtype


@given(st.permutations(range(40)), shares, st.sampled_from(["sequential", "blocks"]), seeds)
def test_no_value_moves_further_than_its_range(
    cells: list[int], share: float, variant: str, seed: int
) -> None:
    after = swapped(pl.Series("x", cells), seed, range_share=share, variant=variant)
    reach = max(int(share * 40 + 1e-9), 1)
    # Values are their own ranks; a lone last one joins the block before, which then has one more.
    assert all(abs(a - b) <= reach for a, b in zip(cells, after, strict=True))


@given(st.permutations(range(30)), shares, seeds)
def test_sequential_swaps_are_disjoint_pairs(cells: list[int], share: float, seed: int) -> None:
    after = swapped(pl.Series("x", cells), seed, range_share=share).to_list()
    new_owner = dict(zip(cells, after, strict=True))
    assert all(new_owner[new_owner[value]] == value for value in cells)


def test_columns_are_swapped_independently() -> None:
    frame = pl.DataFrame({"x": range(50), "y": range(50)})
    after = RankSwap(columns=["x", "y"], range_share=0.2).protect(frame, seed=1)
    assert not after["x"].equals(after["y"], check_names=False)


def test_every_kind_in_an_order_can_be_swapped(any_ordered: pl.Series) -> None:
    after = swapped(any_ordered, range_share=1.0)
    assert after.dtype == any_ordered.dtype
    assert Counter(after.to_list()) == Counter(any_ordered.to_list())


def test_enums_are_swapped_in_the_order_of_their_categories() -> None:
    grades = pl.Series("x", ["z", "b", "a"] * 10, dtype=pl.Enum(["z", "b", "a"]))
    after = swapped(grades, range_share=0.1)
    codes = np.abs(
        after.to_physical().cast(pl.Int64).to_numpy()
        - grades.to_physical().cast(pl.Int64).to_numpy()
    )
    assert after.dtype == grades.dtype
    assert codes.max() == 1  # three ranks never lead across the ten equal values between


def test_ties_are_ranked_at_random_not_by_file_order() -> None:
    mostly_zero = pl.Series("x", [0] * 900 + [1] * 100)
    firsts = [int(swapped(mostly_zero, seed, range_share=0.1)[:450].sum()) for seed in range(20)]
    # Those zeros that meet the ones are drawn from all zeros, not from the end of the file.
    assert min(firsts) > 3


def test_strata_keep_their_values() -> None:
    table = Table({"g": [1, 2] * 20, "x": range(40)}, Roles(strata=["g"]))
    step = RankSwap(columns="x", range_share=1.0)
    after = step.apply(table, np.random.default_rng(1)).table.frame
    assert all((x - g) % 2 == 1 for g, x in after.rows())
    over_all = step.model_copy(update={"by_strata": False})
    mixed = over_all.apply(table, np.random.default_rng(1)).table.frame
    assert not all((x - g) % 2 == 1 for g, x in mixed.rows())


def test_a_stratum_itself_cannot_be_swapped_within_strata() -> None:
    table = Table({"g": [1, 2]}, Roles(strata=["g"]))
    with pytest.raises(ColumnError, match="'g' is one of the strata"):
        RankSwap(columns="g", range_share=0.5).apply(table, np.random.default_rng(1))


def test_coded_ends_become_their_mean_and_never_swap() -> None:
    after = swapped(
        pl.Series("x", range(100)), range_share=1.0, top_share=0.1, bottom_share=0.05
    ).to_list()
    assert after[:5] == [2.0] * 5
    assert after[90:] == [94.5] * 10
    assert sorted(after[5:90]) == list(range(5, 90))


def test_too_few_coded_values_take_the_nearest_instead_of_their_mean() -> None:
    after = swapped(pl.Series("x", range(10)), range_share=0.1, top_share=0.2)
    assert after[8] == after[9] == 7.0


def test_means_of_decimals_are_floats() -> None:
    prices = pl.Series("x", [Decimal(f"{n}.50") for n in range(10)])
    after = swapped(prices, range_share=0.1, bottom_share=0.3)
    assert after[:3].to_list() == [1.5] * 3


def test_means_of_dates_are_dates() -> None:
    days = pl.Series("x", [date(2024, 1, day) for day in range(1, 31)])
    after = swapped(days, range_share=0.1, bottom_share=0.1)
    assert after.dtype == pl.Date
    assert after[:3].to_list() == [date(2024, 1, 2)] * 3


def test_values_spread_evenly_correlate_by_at_least_what_was_asked() -> None:
    before = pl.Series("x", np.random.default_rng(0).uniform(size=20_000))
    after = swapped(before, correlation=0.9)
    # A move is the whole range at most, a third of its square on average.
    assert float(np.corrcoef(before, after)[0, 1]) == pytest.approx(1 - 0.1 / 3, abs=0.01)


def test_a_larger_share_of_the_mean_moves_values_further() -> None:
    before = pl.Series("x", np.random.default_rng(0).uniform(1, 2, size=5000))
    moves = [
        float(np.abs(swapped(before, mean_share=share) - before).mean()) for share in (0.01, 0.1)
    ]
    assert moves[0] < moves[1] / 3


def test_facts_count_changes_gaps_coded_and_unswapped_values() -> None:
    table = Table({"x": [1, 2, 3, None]})
    facts = RankSwap(columns="x", range_share=0.4).apply(table, np.random.default_rng(0)).facts
    assert facts == {
        "n_changed": {"x": 2},
        "n_missing": {"x": 1},
        "n_coded": {"x": 0},
        "n_unswapped": {"x": 1},
        "n_ranks": {"x": 1},
        "now_float": [],
    }


@pytest.mark.parametrize("n", [0, 1, 2])
def test_hardly_any_values_are_no_problem(n: int) -> None:
    before = pl.Series("x", [7, 8][:n], dtype=pl.Int64)
    assert sorted(swapped(before, range_share=0.01)) == before.to_list()
    assert sorted(swapped(before, correlation=0.5)) == before.to_list()


def test_constants_stay() -> None:
    before = pl.Series("x", [3.5] * 9)
    assert swapped(before, correlation=0.5).equals(before)
    assert swapped(before, range_share=0.5, top_share=0.5).equals(before)


def test_categories_have_no_rank() -> None:
    with pytest.raises(ColumnError, match=r"needs ordered values.*'x'"):
        swapped(pl.Series("x", ["a"]), range_share=0.1)


def test_no_comes_before_yes() -> None:
    before = pl.Series("x", [True, False] * 50)
    after = swapped(before, range_share=0.5)
    assert sorted(after) == sorted(before)
    assert not after.equals(before)


def test_enums_have_no_mean() -> None:
    with pytest.raises(ColumnError, match="For enums give range_share alone"):
        swapped(pl.Series("x", ["a"], dtype=pl.Enum(["a"])), range_share=0.1, top_share=0.1)


def test_infinite_values_are_counted_and_refused() -> None:
    cells = pl.Series("x", [1.0, float("inf"), None])
    with pytest.raises(ColumnError, match="1 values of column 'x' are infinite or not a number"):
        swapped(cells, range_share=0.5)


def test_exactly_one_range_is_given() -> None:
    for parameters in ({}, {"range_share": 0.1, "correlation": 0.9}):
        with pytest.raises(SpecError, match="Give one of range_share"):
            RankSwap.parse({"columns": ["x"], **parameters})
    with pytest.raises(SpecError, match="together exceed 1"):
        RankSwap.parse(
            {"columns": ["x"], "range_share": 0.1, "top_share": 0.6, "bottom_share": 0.6}
        )


def test_values_may_be_wrong_afterwards() -> None:
    step = RankSwap(columns="x", range_share=0.1)
    assert step.perturbative
    assert not step.row_wise
