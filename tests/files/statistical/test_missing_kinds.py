from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pyreadstat

import microveil as mv


def test_letters_of_stata_are_missing_and_remembered(tmp_path: Path) -> None:
    path = tmp_path / "a.dta"
    cells = pl.Series("x", [1, "a", None, "c", 2], dtype=pl.Object)
    labels: Any = {"x": {1: "one", "a": "refused"}}
    pyreadstat.write_dta(
        pl.DataFrame([cells]),
        str(path),
        missing_user_values={"x": ["a", "c"]},
        variable_value_labels=labels,
    )
    frame, found = mv.read_labelled(path)
    assert frame["x"].to_list() == [1, None, None, None, 2]
    assert found.gaps["x"].to_list() == [None, "a", None, "c", None]
    assert found.values == labels


def test_ranges_of_spss_are_missing_and_remembered(tmp_path: Path) -> None:
    path = tmp_path / "a.sav"
    frame = pl.DataFrame({"x": [1.5, 97.0, 99.0, None], "s": ["a", "zz", None, ""]})
    missing: Any = {"x": [{"lo": 97, "hi": 99}], "s": ["zz"]}
    pyreadstat.write_sav(frame, str(path), missing_ranges=missing)
    told, found = mv.read_labelled(path)
    assert told["x"].to_list() == [1.5, None, None, None]
    assert told["s"].to_list() == ["a", None, None, None]
    assert found.gaps["x"].to_list() == [None, "97", "99", None]
    assert "s" not in found.gaps
