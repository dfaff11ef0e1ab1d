from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.linked.links import Link
from microveil.linked.synthesis.structure import Structure, explains
from tests.linked.synthesis.hospital import RECIPE, hospital

LINKS = [Link.parse(text) for text in RECIPE["links"]]


def test_a_table_is_drawn_below_its_nearest_parent() -> None:
    found = Structure.of(hospital(), LINKS, "patients", ())
    assert found.drawn == ("patients", "visits", "labs")
    assert found.parent["labs"].to == "visits"
    assert found.above("labs") == ["visits", "patients"]
    assert found.children("patients") == ["visits"]


def test_two_parents_side_by_side_are_refused() -> None:
    frames = hospital() | {"orders": pl.DataFrame({"order": [1], "patient": ["p1"]})}
    frames["labs"] = frames["labs"].with_columns(order=pl.lit(None, dtype=pl.Int64))
    more = [Link.parse("orders.patient -> patients.id"), Link.parse("labs.order -> orders.order")]
    with pytest.raises(mv.InputError, match="neither above the other"):
        Structure.of(frames, [*LINKS, *more], "patients", ())


def test_free_text_explains_nothing() -> None:
    assert explains(pl.Series([1.5]))
    assert not explains(pl.Series([str(i) for i in range(60)]))
