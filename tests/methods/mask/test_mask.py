from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from microveil.errors import ColumnError, SpecError
from microveil.methods.mask.step import Mask
from tests.methods.mask.cases import facts, masked


@pytest.mark.parametrize("how", [{"pattern": "X?"}, {"keep_start": 1}, {"preset": "ip"}])
def test_an_empty_text_is_missing_and_stays_so(how: dict[str, Any]) -> None:
    assert masked(["", None], **how) == [None, None]


def test_numbers_are_masked_through_their_text() -> None:
    assert masked([4000123456789010, None], preset="card") == ["************9010", None]
    assert masked([12.0, 12.5], keep_start=1) == ["1*", "1***"]


def test_every_kind_of_column_can_be_masked(any_column: pl.Series) -> None:
    before = any_column.clone()
    after = Mask(columns="x", pattern="?X").protect(any_column.to_frame())["x"]
    assert after.dtype == pl.String
    assert after.is_null().equals(any_column.is_null())
    assert any_column.equals(before)


def test_facts_count_changed_and_missing_cells() -> None:
    assert facts(["ab", "aX", None], pattern="?X") == {
        "n_changed": {"x": 1},
        "n_missing": {"x": 1},
    }


def test_an_empty_table_stays_empty() -> None:
    empty = pl.DataFrame(schema={"x": pl.String})
    assert Mask(columns="x", preset="ip").protect(empty).height == 0


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({}, "one way to mask"),
        ({"pattern": "X", "keep_start": 1}, "one way to mask"),
        ({"preset": "ip", "keep_end": 1}, "one way to mask"),
        ({"keep_start": 1, "keep": "domain"}, "goes with a preset"),
        ({"preset": "ip", "keep": "domain"}, "can keep nothing or network"),
        ({"pattern": "X\\"}, "cannot end in a single"),
        ({"keep_start": -1}, "greater than or equal to 0"),
        ({"pattern": "X", "char": "**"}, "at most 1 character"),
    ],
)
def test_an_unclear_mask_is_refused(how: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Mask.parse({"columns": ["x"], **how})


def test_nested_cells_are_refused_by_name(nested: pl.DataFrame) -> None:
    with pytest.raises(ColumnError, match=r"Step 'mask' cannot use column 'x'.*nested"):
        Mask(columns="x", pattern="X").protect(nested)


def test_every_record_stands_for_itself() -> None:
    assert Mask(columns="x", pattern="X").row_wise
