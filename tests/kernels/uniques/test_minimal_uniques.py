from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.uniques import minimal_uniques as module
from microveil.kernels.uniques.minimal_uniques import Rows, minimal_uniques


def by_definition(rows: Rows, max_size: int, *, wildcard: bool) -> list[list[tuple[int, ...]]]:
    """Minimal uniques of each row, by comparing it with every other on every set."""
    codes, owners, _ = rows
    m, n = codes.shape
    found: list[list[tuple[int, ...]]] = [[] for _ in range(n)]
    for row in range(n):
        for size in range(1, max_size + 1):
            for chosen in combinations(range(m), size):
                if owners[row] < 0 or any(codes[c, row] < 0 for c in chosen):
                    continue
                if any(set(part) <= set(chosen) for part in found[row]):
                    continue
                if not any(
                    owners[other] != owners[row]
                    # Who shows nothing at all does not vouch for who shows everything.
                    and not (m > 1 and (codes[:, other] < 0).all() and (codes[:, row] >= 0).all())
                    and all(
                        codes[c, other] == codes[c, row] or (wildcard and codes[c, other] < 0)
                        for c in chosen
                    )
                    for other in range(n)
                    if other != row
                ):
                    found[row].append(chosen)
    return found


@st.composite
def tables(draw: st.DrawFn) -> Rows:
    """Distinct rows, some with missing cells, some of several records, some of one person."""
    m = draw(st.integers(1, 5))
    least = draw(st.sampled_from([-1, 0]))
    cell = st.integers(least, draw(st.integers(0, 4)))
    some = draw(st.lists(st.tuples(*[cell] * m, st.integers(0, 4)), min_size=1, max_size=22))
    if draw(st.booleans()):
        distinct = sorted(set(some))
        owners = [row[-1] for row in distinct]
        counts = [some.count(row) for row in distinct]
        distinct = [row[:-1] for row in distinct]
    else:
        plain = [row[:-1] for row in some]
        distinct = sorted(set(plain))
        counts = [plain.count(row) for row in distinct]
        owners = [-1 if count > 1 else i for i, count in enumerate(counts)]
    return Rows(
        np.array(distinct, dtype=np.int32).T,
        np.array(owners, dtype=np.int32),
        np.array(counts, dtype=np.int64),
    )


@settings(max_examples=150, deadline=None)
@given(tables(), st.integers(1, 5), st.sampled_from(["ignored", "wildcard"]))
def test_the_uniques_found_are_those_of_the_definition(
    rows: Rows, max_size: int, missing: str
) -> None:
    max_size = min(max_size, len(rows.codes))
    wildcard = missing == "wildcard"
    weights = np.arange(1.0, max_size + 1)
    found = minimal_uniques(rows, max_size, wildcard=wildcard, weights=weights)
    expected = by_definition(rows, max_size, wildcard=wildcard)
    by_set: dict[int, int] = {}
    by_size = np.zeros((len(expected), max_size), dtype=int)
    by_column = np.zeros((len(expected), len(rows.codes)))
    for row, sets in enumerate(expected):
        for chosen in sets:
            bits = sum(1 << column for column in chosen)
            by_set[bits] = by_set.get(bits, 0) + int(rows.records[row])
            by_size[row, len(chosen) - 1] += 1
            by_column[row, list(chosen)] += weights[len(chosen) - 1]
    assert dict(zip(found.sets.tolist(), found.n_records.tolist(), strict=True)) == by_set
    assert found.by_size.tolist() == by_size.tolist()
    assert np.allclose(found.by_column, by_column)


def some_rows(n: int, m: int, n_values: int) -> Rows:
    codes = np.unique(np.random.default_rng(0).integers(0, n_values, (m, n)), axis=1)
    n_rows = codes.shape[1]
    owners = np.arange(n_rows, dtype=np.int32)
    return Rows(codes.astype(np.int32), owners, np.ones(n_rows, dtype=np.int64))


def test_a_search_without_a_limit_finds_what_a_limited_one_finds_and_more() -> None:
    rows = some_rows(3_000, 9, 4)
    whole, part = minimal_uniques(rows, 9), minimal_uniques(rows, 5)
    assert np.array_equal(whole.by_size[:, :5], part.by_size)
    assert (whole.by_size.sum(axis=1) > 0).all()
    assert whole.by_size.sum() > part.by_size.sum() > 0


def test_no_row_has_no_uniques() -> None:
    nothing = Rows(np.zeros((2, 0), np.int32), np.zeros(0, np.int32), np.zeros(0, np.int64))
    found = minimal_uniques(nothing, 2)
    assert found.by_size.shape == (0, 2)
    assert len(found.sets) == 0


def test_a_search_that_needs_too_much_memory_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = some_rows(3_000, 9, 4)
    monkeypatch.setattr(module, "MOST_BYTES", 10_000)
    with pytest.raises(MemoryError, match="10,000 bytes"):
        minimal_uniques(rows, 5)
    monkeypatch.setattr(module, "MOST_SETS", 100)
    with pytest.raises(MemoryError, match="129 sets"):
        minimal_uniques(rows, 4)


@pytest.mark.parametrize("size", [0, -1])
def test_arrays_that_do_not_fit_are_refused(size: int) -> None:
    rows: Any = some_rows(20, 2, 3)
    with pytest.raises(ValueError, match="2 columns"):
        minimal_uniques(rows, size)
    with pytest.raises(ValueError, match="owners"):
        minimal_uniques(rows._replace(owners=rows.owners[1:]), 2)
