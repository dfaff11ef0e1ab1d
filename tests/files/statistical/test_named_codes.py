from __future__ import annotations

from pathlib import Path

import polars as pl

import microveil as mv
from microveil.files.columns.column_reading import ColumnReading
from microveil.files.statistical.named_codes import with_named_codes

LABELS = mv.Labels(values={"q": {1: "yes", 98: "Don't know", 99: "Refused"}})


def test_a_missing_code_may_be_given_by_its_label() -> None:
    found = with_named_codes({"q": ColumnReading(missing=("don't know",))}, LABELS)
    assert found["q"].missing == ("don't know", 98)


def test_a_recipe_reads_codes_by_their_label(tmp_path: Path) -> None:
    path = tmp_path / "a.sav"
    mv.write(pl.DataFrame({"q": [1, 98, 99]}), path, labels=LABELS, keep_order=True)
    reading = {"q": {"missing": ["DON'T KNOW"]}}
    assert mv.read_labelled(path, types=reading)[0]["q"].to_list() == [1, None, 99]
