from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.labels.overlap import overlaps


def may_be(known: Any, label: Any) -> bool:
    return bool(overlaps(pl.Series([known]), pl.Series([label]))[0, 0])


@pytest.mark.parametrize(
    ("known", "label", "expected"),
    [
        (25, "[20, 30)", True),
        (30, "[20, 30)", False),
        (30, "[20, 30]", True),
        ("970**", "97***", True),
        ("970**", "40***", False),
        ("a", "{a, b}", True),
        ("c", "{a, b}", False),
        ("{b, c}", "{a, b}", True),
        ("08001", "8001", False),
        (8001, "08001", True),
        ("anything", "*", True),
        ("[10, 20]", "[20, 30]", True),
        ("[10, 20)", "[20, 30]", False),
    ],
)
def test_what_a_label_leaves_possible(known: Any, label: Any, expected: bool) -> None:  # noqa: FBT001  a case
    assert may_be(known, label) == expected


def test_missing_matches_anything() -> None:
    assert overlaps(pl.Series([None, 1.0]), pl.Series([2.0, None])).tolist() == [
        [True, True],
        [False, True],
    ]


texts = st.sampled_from(["a", "b", "1", "2", "*", "1*", "[1, 2]", "[2, 3)", "{a, 1}", None])


@given(st.lists(texts, min_size=1, max_size=4), st.lists(texts, min_size=1, max_size=4))
def test_it_does_not_matter_who_is_asked_first(
    one: list[str | None], other: list[str | None]
) -> None:
    left, right = (pl.Series(side, dtype=pl.String) for side in (one, other))
    assert overlaps(left, right).tolist() == overlaps(right, left).T.tolist()


def test_nothing_is_compared_with_nothing() -> None:
    assert overlaps(pl.Series([], dtype=pl.String), pl.Series(["a"])).shape == (0, 1)
