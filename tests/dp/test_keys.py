from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from microveil import dp
from microveil.dp.keys import BinCode
from tests.dp.tables import declared


def test_bins_hold_every_number_once() -> None:
    code = BinCode("age", (0.0, 10.0, 20.0, 30.0))
    frame = pl.DataFrame({"age": [-5, 0, 9, 10, 19, 20, 30, 99, None]})
    found = frame.select(code.expression(declared(), ())).to_series().to_list()
    assert found == [0, 0, 0, 1, 1, 2, 2, 2, None]
    assert code.labels(declared(), ()) == ("[0, 10)", "[10, 20)", "[20, 30]")


def test_rows_whose_key_is_not_among_the_keys_belong_to_no_group() -> None:
    declaration = dp.Declaration.parse(
        {"columns": {"region": {"type": "text", "keys": ["a", "b"]}}}
    )
    frame = pl.DataFrame({"region": ["a", "a", "c", None]})
    found = dp.answer(dp.Count(by="region"), frame, declaration, 10**9).rows
    assert [row["value"] for row in found] == [2, 0]


@pytest.mark.parametrize("keys", [[5, 7, None], [7, 5], [None]])
def test_keys_keep_their_order_and_missing_its_place(keys: list[Any]) -> None:
    declaration = dp.Declaration.parse({"columns": {"x": {"type": "integer", "keys": keys}}})
    frame = pl.DataFrame({"x": [5, 5, 7, 8, None, None, None]})
    found = dp.answer(dp.Count(by="x"), frame, declaration, 10**9).rows
    assert [(row["x"], row["value"]) for row in found] == [
        (key, {5: 2, 7: 1, None: 3}[key]) for key in keys
    ]


def test_dates_can_be_keys() -> None:
    declaration = dp.Declaration.parse(
        {"columns": {"day": {"type": "date", "keys": ["2024-01-02", "2024-01-01", None]}}}
    )
    days = pl.Series("day", ["2024-01-01", "2024-01-01", "2024-01-03", None]).str.to_date()
    found = dp.answer(dp.Count(by="day"), days.to_frame(), declaration, 10**9).rows
    assert [row["value"] for row in found] == [0, 2, 1]
