"""Microaggregation of vectors, sets and sequences, beside distances counted by hand."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.errors import ColumnError, SpecError
from microveil.methods.microaggregate.likeness import record_distances


@cache
def edits(first: str, second: str) -> int:
    """Levenshtein's distance by its recursion."""
    if not first or not second:
        return len(first) + len(second)
    return min(
        edits(first[1:], second) + 1,
        edits(first, second[1:]) + 1,
        edits(first[1:], second[1:]) + (first[0] != second[0]),
    )


@given(st.lists(st.text("abé ", max_size=6), min_size=1, max_size=7))
@settings(deadline=None)
def test_edits_are_those_of_the_recursion(words: list[str]) -> None:
    frame = pl.DataFrame({"word": words}, schema={"word": pl.String})
    expected = [[edits(first, second) for second in words] for first in words]
    assert record_distances(frame, "edit").tolist() == expected
    spelled = pl.DataFrame({"word": [list(word) for word in words]}, {"word": pl.List(pl.String)})
    assert record_distances(spelled, "edit").tolist() == expected


@given(st.lists(st.sets(st.integers(0, 5)), min_size=1, max_size=7))
@settings(deadline=None)
def test_jaccard_counts_what_sets_do_not_share(sets: list[set[int]]) -> None:
    frame = pl.DataFrame({"s": [sorted(one) for one in sets]}, schema={"s": pl.List(pl.Int64)})
    expected = [
        [1 - len(one & other) / len(one | other) if one | other else 0 for other in sets]
        for one in sets
    ]
    assert record_distances(frame, "jaccard") == pytest.approx(np.array(expected), abs=1e-6)
    flags = pl.DataFrame({str(m): [m in one for one in sets] for m in range(6)})
    assert record_distances(flags, "jaccard") == pytest.approx(np.array(expected), abs=1e-6)


@given(st.lists(st.tuples(*[st.integers(-3, 3)] * 3), min_size=1, max_size=7))
@settings(deadline=None)
def test_cosine_is_the_angle(vectors: list[tuple[int, ...]]) -> None:
    def apart(one: tuple[int, ...], other: tuple[int, ...]) -> float:
        lengths = np.linalg.norm(one) * np.linalg.norm(other)
        if lengths == 0:
            return float(any(one) or any(other))
        return float(1 - np.dot(one, other) / lengths)

    frame = pl.DataFrame(vectors, schema=["a", "b", "c"], orient="row")
    expected = np.array([[apart(one, other) for other in vectors] for one in vectors])
    assert record_distances(frame, "cosine") == pytest.approx(expected, abs=1e-5)


def test_groups_keep_k_and_share_their_text() -> None:
    rng = np.random.default_rng(4)
    words = ["".join(rng.choice(list("abcd"), 6)) for _ in range(53)]
    after = mv.Microaggregate(k=5, distance="edit").protect(pl.Series(words))
    counts = after.value_counts()["count"]
    assert min(counts.to_list()) >= 5
    assert set(after.to_list()) <= set(words)


def test_larger_groups_lose_no_less_by_the_facts() -> None:
    words = pl.DataFrame({"w": ["smith", "smyth", "jones", "jonas", "garcia", "gracia"] * 3})
    lost = [
        mv.Microaggregate(columns="w", k=k, distance="edit")
        .apply(mv.Table(words), np.random.default_rng(0))
        .facts["loss_share"]
        for k in (3, 6, 9)
    ]
    assert all(first <= second + 1e-9 for first, second in pairwise(lost))


def test_kinds_that_do_not_fit_are_named() -> None:
    with pytest.raises(ColumnError, match="needs lists"):
        mv.Microaggregate(columns="n", k=2, distance="jaccard").protect({"n": ["a", "b"]})
    with pytest.raises(ColumnError, match="different length"):
        mv.Microaggregate(k=2, distance="cosine").protect(pl.Series([[1], [1, 2]]))
    with pytest.raises(ColumnError, match="a majority"):
        mv.Microaggregate(k=2, distance="jaccard", aggregation="median").protect(
            pl.Series([[1], [1, 2]])
        )
    with pytest.raises(SpecError, match="goes with `algorithm: mdav`"):
        mv.Microaggregate(columns="n", k=2, distance="edit", algorithm="refined")
