from __future__ import annotations

import polars as pl
import pytest

from microveil.errors import ColumnError
from microveil.privacy.parts.item_lists import item_lists


def test_lists_arrays_text_and_single_items_become_lists() -> None:
    def lists(column: pl.Series, separator: str | None = None) -> list[object]:
        return item_lists(column, separator, several_rows=True, who="m").to_list()

    assert lists(pl.Series([["a"], None])) == [["a"], None]
    assert lists(pl.Series([["a", "b"]], dtype=pl.Array(pl.String, 2))) == [["a", "b"]]
    assert lists(pl.Series([" a , b ,", None]), ",") == [["a", "b"], None]
    assert lists(pl.Series([1, None])) == [[1], None]


def test_a_plain_column_needs_people() -> None:
    with pytest.raises(ColumnError, match=r"roles\.entity"):
        item_lists(pl.Series("x", [1]), None, several_rows=False, who="m")
