from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError
from microveil.methods.swap_records.households import Households


@given(st.lists(st.sampled_from(["p", "q", "r", None]), max_size=30), st.integers(0, 2**32))
def test_households_are_numbered_as_they_appear(homes: list[str | None], seed: int) -> None:
    frame = pl.DataFrame({"home": pl.Series(homes, dtype=pl.String)})
    households = Households.of(frame, "home")
    names: list[object] = []
    for row, home in enumerate(homes):
        name = row if home is None else home
        if name not in names:
            names.append(name)
        assert households.of_record[row] == names.index(name)
    values = np.random.default_rng(seed).integers(0, 9, len(homes))
    least = [int(values[households.of_record == h].min()) for h in range(len(names))]
    assert households.smallest(values).tolist() == least
    assert households.size.tolist() == [
        int((households.of_record == h).sum()) for h in range(len(names))
    ]


def test_without_a_column_each_record_is_a_household() -> None:
    households = Households.of(pl.DataFrame({"x": [5, 5, 5]}), None)
    assert households.of_record.tolist() == [0, 1, 2]
    assert households.smallest(np.array([3, 1, 2])).tolist() == [3, 1, 2]


def test_members_that_differ_are_counted_by_household() -> None:
    frame = pl.DataFrame({"home": [1, 1, 2, 2, 3], "town": ["a", "b", "a", "a", "c"]})
    with pytest.raises(ColumnError, match=r"one value of 'town' .* but 1 of 3 households"):
        Households.of(frame, "home").require_alike(frame, ["home", "town"], "swap_records")
