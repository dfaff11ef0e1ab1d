from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.errors import ColumnError
from microveil.utility.il1 import IL1
from tests.utility.cases import tarragona

numbers = st.none() | st.integers(-50, 50).map(float)


@settings(max_examples=40)
@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=20))
def test_changes_are_summed_in_per_cent_of_the_value(
    pairs: list[tuple[float | None, float | None]],
) -> None:
    # A first pair of numbers, so that the column is never one of missing cells alone.
    pairs = [(2.0, 3.0), *pairs]
    moves = [100 * abs(x - y) / abs(x) for x, y in pairs if x and y is not None]
    before, after = ([*side] for side in zip(*pairs, strict=True))
    score = IL1().measure({"x": before}, {"x": after})
    assert score.value == pytest.approx(sum(moves))
    assert score.parts["per_cell"] == pytest.approx(sum(moves) / len(moves))


def test_il1_after_mdav_is_sdcmicro_s() -> None:
    assert IL1().measure(*tarragona()).value == pytest.approx(2929786.89907033, rel=1e-9)


def test_text_has_no_relative_change() -> None:
    with pytest.raises(ColumnError, match="'x'"):
        IL1(columns="x").measure({"x": ["a"]}, {"x": ["b"]})
