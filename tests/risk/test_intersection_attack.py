from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.errors import ColumnError
from microveil.risk.intersection_attack import IntersectionAttack
from microveil.risk.record_linkage import RecordLinkage

DATA = Path(__file__).parents[1] / "data"


def candidates_by_hand(x: np.ndarray, y: np.ndarray, reach: int) -> np.ndarray:
    """(records, records): whether no column rules the pair out; values as ranks with ties."""
    fits = np.ones((len(x), len(x)), dtype=bool)
    for j in range(x.shape[1]):
        ranked = np.sort(y[:, j])
        for i in range(len(x)):
            places = np.flatnonzero(ranked == x[i, j])
            low = ranked[max(places[0] - reach, 0)]
            high = ranked[min(places[-1] + reach, len(ranked) - 1)]
            fits[i] &= (low <= y[:, j]) & (y[:, j] <= high)
    return fits


@given(st.integers(0, 10_000), st.integers(2, 30), st.sampled_from([0.1, 0.3, 1.0]), st.booleans())
@settings(max_examples=40, deadline=None)
def test_candidates_are_those_that_no_range_rules_out(
    seed: int,
    n: int,
    share: float,
    ties: bool,  # noqa: FBT001  drawn by hypothesis
) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 5, (n, 2)) + 0.0 if ties else rng.standard_normal((n, 2))
    frame = pl.DataFrame(x, schema=["a", "b"])
    released = mv.RankSwap(columns=["a", "b"], range_share=share).protect(frame, seed=seed)
    score = IntersectionAttack(range_share=share).measure(frame, released)
    fits = candidates_by_hand(x, released.to_numpy(), max(int(share * n + 1e-9), 1))
    assert score.records is not None
    assert score.records == pytest.approx(np.diag(fits) / fits.sum(axis=1))
    assert score.parts["mean_candidates"] == pytest.approx(fits.sum(axis=1).mean())
    assert score.parts["ruled_out_share"] == 0


@given(st.integers(0, 10_000), st.integers(2, 40))
@settings(max_examples=30, deadline=None)
def test_the_worst_case_range_never_rules_the_truth_out(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(rng.integers(0, 8, (n, 3)) + 0.0, schema=list("abc"))
    moved = frame[rng.permutation(n)]
    released = moved.with_columns(pl.all() + pl.Series(rng.choice([0.0, 0.5], n)))
    score = IntersectionAttack().measure(frame, released)
    assert score.parts["ruled_out_share"] == 0
    assert score.value > 0


def test_a_swapped_file_gives_nearly_everybody_away() -> None:
    frame = pl.read_csv(DATA / "casc" / "CASCrefmicrodata.csv").cast(pl.Float64)
    swapped = mv.RankSwap(columns=frame.columns, range_share=0.1).protect(frame, seed=1)
    score = IntersectionAttack(range_share=0.1).measure(frame, swapped)
    assert score.parts["certain_share"] > 0.95
    assert score.value > 1.4 * RecordLinkage().measure(frame, swapped).value


def test_an_unmoved_release_is_as_safe_as_its_twins_make_it() -> None:
    frame = pl.DataFrame({"a": [1.0, 1, 2, 3], "b": [1, 1, 5, 5]})
    score = IntersectionAttack().measure(frame, frame)
    assert score.records is not None
    assert score.records.tolist() == [0.5, 0.5, 1, 1]


def test_a_permuted_release_leaves_everybody_a_candidate() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(rng.standard_normal((300, 2)), schema=["a", "b"])
    score = IntersectionAttack().measure(frame, frame[rng.permutation(300)])
    assert score.value < 3 / 300


def test_a_range_too_small_rules_the_truth_out() -> None:
    frame = pl.DataFrame({"a": np.arange(100.0)})
    score = IntersectionAttack(range_share=0.05).measure(frame, frame.reverse())
    assert score.parts["ruled_out_share"] > 0.9
    assert score.value < 0.05


def test_row_order_and_monotone_changes_of_scale_do_not_matter() -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame(rng.standard_normal((80, 2)), schema=["a", "b"])
    released = mv.RankSwap(columns=["a", "b"], range_share=0.2).protect(frame, seed=3)
    one = IntersectionAttack().measure(frame, released).value
    order = rng.permutation(80)
    curved = [side[order].select(pl.all().exp()) for side in (frame, released)]
    assert IntersectionAttack().measure(*curved).value == pytest.approx(one)


def test_a_missing_cell_rules_nothing_out() -> None:
    before = {"a": [1.0, None, 3.0, 4.0]}
    after = {"a": [1.0, 2.0, None, 4.0]}
    score = IntersectionAttack(range_share=0).measure(before, after)
    # A range of 0 reaches to the next rank, as in rank_swap: 1 → {1, 2, missing}.
    assert score.records is not None
    assert score.records.tolist() == pytest.approx([1 / 3, 1 / 4, 1 / 4, 1 / 3])


def test_enums_have_ranks_and_words_do_not() -> None:
    sizes = pl.Series(["s", "m", "l"], dtype=pl.Enum(["s", "m", "l"]))
    frame = pl.DataFrame({"size": sizes, "word": ["a", "b", "c"]})
    score = IntersectionAttack().measure(frame, frame)
    assert list(score.parts["range_share"]) == ["size"]
    assert score.value == 1
    with pytest.raises(ColumnError, match="'word' has no ranks"):
        IntersectionAttack(columns=["size", "word"]).measure(frame, frame)


@pytest.mark.parametrize("n", [0, 1])
def test_hardly_a_row_has_a_score(n: int) -> None:
    frame = pl.DataFrame({"a": [1.0] * n, "b": [None] * n}, schema={"a": float, "b": float})
    assert IntersectionAttack().measure(frame, frame).value == n
