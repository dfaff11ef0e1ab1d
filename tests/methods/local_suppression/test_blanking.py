from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest

from microveil.methods.local_suppression import LocalSuppression, blanking
from microveil.methods.local_suppression.blanking import SizeRequirement, blank_until_safe, masks
from microveil.methods.local_suppression.rows import distinct_rows
from microveil.tables import Missing, Table
from tests.methods.local_suppression.cases import as_sets, both_ways, only_blanked, smallest


@pytest.mark.parametrize(
    ("missing", "shape", "k", "seed"),
    [("category", (30, 4), 2, 0), ("wildcard", (12, 3), 3, 2)],
)
def test_what_later_subsets_break_is_mended(
    missing: Missing, shape: tuple[int, int], k: int, seed: int
) -> None:
    codes = np.random.default_rng(seed).integers(0, 3, shape).astype(np.int32)
    needs = [SizeRequirement(subset, k) for subset in combinations(range(shape[1]), 2)]
    one_pass = getattr(blanking, f"_{missing}_pass")
    once = codes.copy()
    for need in needs:
        columns = list(need.keys)
        part = one_pass(once[:, columns].copy(), k, np.ones(2))
        if part is not None:
            once[:, columns] = part
    after = blank_until_safe(codes, needs, np.ones(shape[1]), missing)

    def n_broken(result: Any) -> int:
        parts = [result[:, list(need.keys)].tolist() for need in needs]
        rows = [[tuple(None if c < 0 else c for c in row) for row in part] for part in parts]
        return sum(smallest(part, missing) < k for part in rows)

    assert n_broken(once) > 0
    assert n_broken(after) == 0


@both_ways
def test_many_keys_and_values_too_many_to_pack_are_safe_too(missing: Missing) -> None:
    rng = np.random.default_rng(2)
    keys = {f"key{i}": np.where(rng.random(60) < 0.7, 0, rng.permutation(60)) for i in range(14)}
    frame = pl.DataFrame(keys).with_columns(pl.col("key0") * 10**15)
    outcome = LocalSuppression(k=4, columns=frame.columns, missing=missing).apply(
        Table(frame), np.random.default_rng(0)
    )
    assert smallest(outcome.table.frame.rows(), missing) >= 4
    assert only_blanked(frame.rows(), outcome.table.frame.rows())


@both_ways
def test_ties_do_not_follow_how_a_process_numbers_categories(missing: Missing) -> None:
    rng = np.random.default_rng(5)
    texts = pl.DataFrame({name: rng.integers(0, 6, 60).astype(str) for name in ("a", "b", "c")})
    numbered = pl.Categories("backwards")
    pl.Series(["5", "4", "3", "2", "1", "0"], dtype=pl.Categorical(numbered))
    others = texts.cast(pl.Categorical(numbered))
    step = LocalSuppression(k=4, columns=texts.columns, missing=missing)
    assert step.protect(texts).rows() == step.protect(others).rows()
    assert step.protect(texts).rows() == step.protect(texts.cast(pl.Int64)).cast(pl.String).rows()


def test_few_keys_are_blanked_in_all_ways_many_in_the_small_and_cheap_ones() -> None:
    assert len(masks(np.ones(8), 10)) == 255
    costs = np.arange(20, 0, -1.0)
    sets = as_sets(masks(costs, 10).tolist(), 20)
    assert len(set(sets)) == len(sets) <= 255 + 20
    assert set(combinations(range(20), 2)) <= set(sets)
    assert tuple(range(15, 20)) in sets
    assert tuple(range(20)) in sets
    assert len(masks(np.ones(8), 10**8)) == 8 + 7


def test_distinct_rows_survive_codes_too_large_to_pack() -> None:
    rng = np.random.default_rng(3)
    codes = rng.integers(-1, 2, (50, 9)).astype(np.int32) * 2**30
    codes[codes < 0] = -1
    rows = distinct_rows(codes)
    assert len({tuple(row) for row in rows.codes.tolist()}) == len(rows.codes)
    assert (rows.codes[rows.row] == codes).all()
    assert rows.counts.sum() == 50


@both_ways
def test_rare_rows_beyond_what_a_pass_takes_wait_for_the_next(
    missing: Missing, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = np.random.default_rng(4).integers(0, 5, (400, 4)).astype(np.int32)
    needs = [SizeRequirement((0, 1, 2, 3), 4)]
    at_once = blank_until_safe(codes, needs, np.ones(4), missing)
    monkeypatch.setattr(blanking, "MOST_PAIRS", 7 * 30)
    in_turn = blank_until_safe(codes, needs, np.ones(4), missing)
    rows = [tuple(None if c < 0 else c for c in row) for row in in_turn.tolist()]
    assert smallest(rows, missing) >= 4
    assert ((in_turn == codes) | (in_turn < 0)).all()
    assert (in_turn < 0).sum() <= 1.3 * (at_once < 0).sum()


def test_rows_that_differ_in_cheap_columns_alone_are_made_safe_together() -> None:
    codes = np.array([[0, 0], [1, 0], [0, 1], [1, 1], [0, 2], [1, 2]], dtype=np.int32)
    rows = distinct_rows(codes)
    for costs, kept, values in (([2.0, 1.0], 0, [0, 0, 0]), ([1.0, 2.0], 1, [0, 0, 1])):
        chosen = blanking._next_rare(rows, np.arange(6), np.array(costs), 2, 3 * 3)
        assert sorted(rows.codes[chosen, kept].tolist()) == values
