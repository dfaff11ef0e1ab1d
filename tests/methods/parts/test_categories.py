from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from microveil.errors import ColumnError
from microveil.methods.parts.categories import encode_categories

KINDS: dict[str, tuple[pl.Series, list[int]]] = {
    "text": (pl.Series("x", ["b", "a", None, "b"]), [1, 0, -1, 1]),
    "categorical": (pl.Series("x", ["b", "a", None], dtype=pl.Categorical()), [1, 0, -1]),
    "enum": (pl.Series("x", ["b", "a", None], dtype=pl.Enum(["c", "b", "a"])), [0, 1, -1]),
    "boolean": (pl.Series("x", [True, False, None]), [1, 0, -1]),
    "integer": (pl.Series("x", [7, -3, None], dtype=pl.Int8), [1, 0, -1]),
    "unsigned": (pl.Series("x", [2**63, 5, None], dtype=pl.UInt64), [1, 0, -1]),
    "whole floats": (pl.Series("x", [2.0, 1.0, None]), [1, 0, -1]),
    "nothing": (pl.Series("x", [None, None], dtype=pl.Null), [-1, -1]),
    "no row": (pl.Series("x", [], dtype=pl.String), []),
}


@pytest.mark.parametrize("kind", list(KINDS))
def test_categories_are_numbered_ascending_and_come_back(kind: str) -> None:
    series, codes = KINDS[kind]
    column = encode_categories(series, None, "pram")
    assert column.codes.tolist() == codes
    assert column.decode(column.codes).equals(series)
    assert column.decode(column.codes).dtype == series.dtype


@pytest.mark.parametrize(
    ("series", "labels"),
    [
        (pl.Series("x", ["b", "a"]), ["c", "b", "a"]),
        (pl.Series("x", ["b", "a"], dtype=pl.Categorical()), ["c", "b", "a"]),
        (pl.Series("x", ["b", "a"], dtype=pl.Enum(["a", "b", "c"])), ["c", "b", "a"]),
        (pl.Series("x", [2, 1]), ["3", "2", "1"]),
        (pl.Series("x", [2.0, 1.0]), ["3", "2", "1.0"]),
    ],
)
def test_given_categories_keep_their_order(series: pl.Series, labels: list[str]) -> None:
    column = encode_categories(series, labels, "pram")
    assert column.codes.tolist() == [1, 2]
    assert column.categories.dtype == series.dtype
    assert len(column.categories) == 3


def test_true_and_false_can_be_named() -> None:
    column = encode_categories(pl.Series("x", [True, None]), ["false", "True"], "pram")
    assert column.codes.tolist() == [1, -1]


def test_more_categories_than_two_bytes_number() -> None:
    series = pl.Series("x", range(40_000))
    column = encode_categories(series, None, "pram")
    assert column.decode(column.codes).equals(series)


@pytest.mark.parametrize(
    ("series", "labels", "message"),
    [
        (pl.Series("x", [1, 2, 2]), ["1"], "'x' has 1 categories .* does not name, in 2 records"),
        (pl.Series("x", [1]), ["1", "one"], "names 1 categories that column 'x' cannot hold"),
        (pl.Series("x", ["a"], dtype=pl.Enum(["a"])), ["a", "b"], "names 1 categories that"),
        (pl.Series("x", [1]), ["1", "1"], "names 1 categories of column 'x' twice"),
        (pl.Series("x", [1.0, 2.5]), None, "1 values of column 'x' are not whole numbers"),
        (pl.Series("x", [1.0, float("inf")]), None, "1 values of column 'x' are not whole"),
        (pl.Series("x", [1.0, float("nan")]), None, "1 values of column 'x' are not whole"),
        (pl.Series("x", [None], dtype=pl.Date), None, "'x' is of another type"),
    ],
)
def test_what_is_no_category_is_refused(series: pl.Series, labels: Any, message: str) -> None:
    with pytest.raises(ColumnError, match=message):
        encode_categories(series, labels, "pram")
