from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.uniques.split import Level, Rows, open_split, split_classes
from microveil.kernels.uniques.wildcards import SEVERAL, index_incomplete


def empty(n: int) -> Level:
    return Level(np.zeros(n, np.int32), np.zeros(n + 1, np.int32), np.zeros(1, np.int64))


def alone(
    rows: list[tuple[int, ...]], owners: list[int], chosen: list[int], row: int, *, wildcard: bool
) -> bool:
    """Whether nobody else has, or may have, a row's cells of the chosen columns."""
    if owners[row] == SEVERAL or any(rows[row][c] < 0 for c in chosen):
        return False
    return not any(
        owners[other] != owners[row]
        and all(rows[other][c] == rows[row][c] or (wildcard and rows[other][c] < 0) for c in chosen)
        for other in range(len(rows))
        if not is_silent(rows[other], rows[row])
    )


def is_silent(other: tuple[int, ...], row: tuple[int, ...]) -> bool:
    """A row without any cell does not vouch for a complete one of several columns."""
    return len(row) > 1 and set(other) == {-1} and -1 not in row


def marked(bits: np.ndarray, n: int) -> set[int]:
    return {row for row in range(n) if int(bits[row >> 6]) >> (row & 63) & 1}


@settings(max_examples=120, deadline=None)
@given(st.integers(1, 4), st.booleans(), st.data())
def test_splitting_column_by_column_finds_who_stands_alone(
    m: int,
    wildcard: bool,  # noqa: FBT001
    data: st.DataObject,
) -> None:
    cell = st.integers(-1, 2)
    rows = sorted(set(data.draw(st.lists(st.tuples(*[cell] * m), min_size=1, max_size=80))))
    n = len(rows)
    owners = data.draw(st.lists(st.integers(SEVERAL, 4), min_size=n, max_size=n))
    codes = np.array(rows, np.int32).T.copy()
    split = open_split(
        Rows(codes, np.array(owners, np.int32), np.ones(n, np.int64)), wildcard=wildcard
    )
    before = Level(
        np.arange(n, dtype=np.int32), np.array([0, n] + [0] * n, np.int32), np.ones(1, np.int64)
    )
    bits = np.zeros((n + 63) // 64, np.uint64)
    expected: set[int] = set()
    for column in range(m):
        chosen = list(range(column + 1))
        word = sum(1 << one for one in chosen)
        if wildcard:
            index_incomplete(codes, split.rows.owners, split.incomplete, word)
        after = empty(n)
        n_fresh = split_classes(split, column, before, after, bits, word, False)
        here = {r for r in range(n) if alone(rows, owners, chosen, r, wildcard=wildcard)}
        assert set(split.tally.fresh[:n_fresh].tolist()) == here - expected
        expected |= here
        assert marked(bits, n) == expected
        hidden = {
            r
            for r in range(n)
            if wildcard and any(set(rows[o]) == {-1} and owners[o] != owners[r] for o in range(n))
            if not is_silent((-1,) * m, rows[r])
        }
        _check_classes(rows, owners, chosen, after, here | hidden)
        assert not split.tally.of_code[:, 0].any()
        before = after


def _check_classes(
    rows: list[tuple[int, ...]],
    owners: list[int],
    chosen: list[int],
    level: Level,
    done: set[int],
) -> None:
    """Who may still stand alone on a larger set is in a class with all that look alike."""
    classes = [
        set(level.members[level.starts[i] : level.starts[i + 1]].tolist())
        for i in range(int(level.n[0]))
    ]
    for row in range(len(rows)):
        cells = [rows[row][c] for c in chosen]
        if owners[row] == SEVERAL or row in done or -1 in cells:
            continue
        alike = {r for r in range(len(rows)) if [rows[r][c] for c in chosen] == cells}
        assert alike in classes


def test_a_set_of_the_last_size_leaves_no_classes() -> None:
    codes = np.array([[0, 0, 0, 1], [0, 0, 1, 1]], np.int32)
    rows = Rows(codes, np.arange(4, dtype=np.int32), np.ones(4, np.int64))
    split = open_split(rows, wildcard=False)
    before = Level(
        np.arange(4, dtype=np.int32), np.array([0, 4, 0], np.int32), np.ones(1, np.int64)
    )
    after, bits = empty(4), np.zeros(1, np.uint64)
    assert split_classes(split, 0, before, after, bits, 1, True) == 1
    assert split.tally.fresh[0] == 3
    assert after.n[0] == 0
