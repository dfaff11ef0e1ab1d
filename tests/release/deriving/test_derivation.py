"""A derivation is told in plain data, without cells."""

from __future__ import annotations

import json

import polars as pl

from microveil.release.deriving.derivation import Derivation


def test_it_is_told_without_cells() -> None:
    one = Derivation(
        "column", "code", "town", 1, 2, 0.912345, True, pl.Series([True]), pl.Series(["Ur"])
    )
    told = json.dumps(one.to_dict())
    assert "Ur" not in told + repr(one)
    assert one.to_dict()["certainty"] == 0.9123
