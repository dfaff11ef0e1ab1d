from __future__ import annotations

import datetime as dt

import polars as pl
import pytest

from microveil.errors import InputError, SpecError
from microveil.methods.set_missing import SetMissing


def test_codes_become_missing_and_all_else_stays() -> None:
    frame = pl.DataFrame(
        {"height": [171.5, 9999.0, None, -9.0], "town": ["N/A", "n/a", "Rome", "9999"]}
    )
    after = SetMissing(columns=["height", "town"], values=[9999, -9, "n/a"]).protect(frame)
    assert after["height"].to_list() == [171.5, None, None, None]
    assert after["town"].to_list() == [None, None, "Rome", None]
    assert after.schema == frame.schema


def test_a_code_must_be_given() -> None:
    with pytest.raises(SpecError):
        SetMissing.parse({"columns": "height", "values": []})


def test_values_beyond_a_limit_become_missing() -> None:
    days = [dt.date(2020, 1, 1), dt.date(2199, 1, 1), None]
    frame = pl.DataFrame({"age": [30, 200, -1], "seen": days})
    after = SetMissing(columns="age", above=125, below=0).protect(frame)
    assert after["age"].to_list() == [30, None, None]
    later = SetMissing(columns="seen", above="2026-01-01").protect(frame)
    assert later["seen"].to_list() == [days[0], None, None]


def test_a_limit_needs_an_order() -> None:
    with pytest.raises(InputError, match="needs numbers"):
        SetMissing(columns="town", above=3).protect({"town": ["a"]})
