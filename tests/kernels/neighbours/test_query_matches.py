from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.arrays import Ints
from microveil.kernels.neighbours.query_matches import (
    Bytes,
    Questions,
    count_matches,
    index_records,
)
from tests.kernels.ways import both_ways


def some_questions(
    rng: np.random.Generator, n: int, conditions: int
) -> tuple[Ints, Questions, Bytes]:
    """Codes of some records, queries for them, and the sets that queries name."""
    q, d, width = 15, 3, 5
    codes = rng.integers(0, width, (d, n)).astype(np.int32)
    shape = (q, conditions)
    low = rng.integers(0, width + 2, shape)
    parts = (
        rng.integers(0, d, shape),
        low,
        low + rng.integers(0, 3, shape),
        rng.random(shape) < 0.3,
        np.where(rng.random(shape) < 0.3, rng.integers(0, 2, shape), -1),
    )
    questions = Questions(*(part.astype(np.int32) for part in parts))
    return codes, questions, rng.integers(0, 2, (2, width + 8)).astype(np.uint8)


@given(
    seed=st.integers(0, 10_000),
    n=st.integers(0, 20),
    conditions=st.integers(1, 3),
    limit=st.integers(1, 30),
    several=st.booleans(),
)
@settings(max_examples=60)
def test_matches_are_those_of_a_scan(
    seed: int, n: int, conditions: int, limit: int, *, several: bool
) -> None:
    rng = np.random.default_rng(seed)
    codes, questions, sets = some_questions(rng, n, conditions)
    people = rng.integers(0, 5, n) if several else np.arange(n)
    records = index_records(codes, people if several else None)
    counts, last = count_matches(records, questions, sets, limit)
    for i in range(len(counts)):
        matching = np.ones(n, dtype=bool)
        for c in range(conditions):
            here = codes[questions.columns[i, c]]
            inside = (here >= questions.low[i, c]) & (here <= questions.high[i, c])
            wanted = (here > 0) & ~inside if questions.negated[i, c] else inside
            if questions.sets[i, c] >= 0:
                wanted = sets[questions.sets[i, c], here] == 1
            matching &= wanted
        assert counts[i] == min(len(set(people[matching])), limit)
        assert (last[i] == -1) if counts[i] == 0 else matching[last[i]]


@given(seed=st.integers(0, 10_000), n=st.integers(0, 20), limit=st.integers(1, 30))
@settings(max_examples=60, deadline=None)
def test_numpy_finds_the_same_matches(seed: int, n: int, limit: int) -> None:
    rng = np.random.default_rng(seed)
    codes, questions, sets = some_questions(rng, n, 2)
    records = index_records(codes, rng.integers(0, 5, n) if seed % 2 else None)
    compiled, plain = both_ways(lambda: count_matches(records, questions, sets, limit))
    assert [one.tolist() for one in compiled] == [one.tolist() for one in plain]
