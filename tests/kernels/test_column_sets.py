from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from microveil.kernels.column_sets import double_rows, next_set, set_bits


def walked(top: int, *, not_below: frozenset[int] | None = None) -> list[frozenset[int]]:
    """Sets in the order of the walk; below one of them the walk does not go deeper."""
    path, size, seen = np.zeros(top + 2, dtype=np.int64), 1, []
    path[0] = 0
    while size:
        here = frozenset(path[:size].tolist())
        seen.append(here)
        assert set_bits(path, size) == sum(1 << column for column in here)
        assert path[:size].tolist() == sorted(here, reverse=True)
        size = next_set(path, size, top, here != not_below)
    return seen


@pytest.mark.parametrize("top", range(5))
def test_every_set_is_met_once_after_all_its_parts(top: int) -> None:
    seen = walked(top)
    every = [
        frozenset(some) for size in range(1, top + 2) for some in combinations(range(top + 1), size)
    ]
    assert sorted(map(sorted, seen)) == sorted(map(sorted, every))
    place = {one: number for number, one in enumerate(seen)}
    for one in seen:
        for column in one:
            part = one - {column}
            assert not part or place[part] < place[one]


def test_what_begins_with_a_set_is_left_out_where_nobody_goes_deeper() -> None:
    left_out = frozenset({3, 1})
    seen = walked(3, not_below=left_out)
    missing = set(walked(3)) - set(seen)
    # Those whose largest columns are 3 and 1.
    assert missing == {frozenset({3, 1, 0})}


def test_a_doubled_table_keeps_its_rows() -> None:
    table = np.arange(6).reshape(3, 2)
    larger = double_rows(table)
    assert larger.shape == (6, 2)
    assert larger[:3].tolist() == table.tolist()
    assert not larger[3:].any()
