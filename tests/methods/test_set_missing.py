from __future__ import annotations

import polars as pl
import pytest

from microveil.errors import SpecError
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
