from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.tabulation.outputs.reading import read_outputs, table_of


def test_every_format_gives_the_same_cells(tmp_path: Path) -> None:
    wide = pl.DataFrame({"town": ["a", "b"], "f": [12, 20], "m": [15, 30]})
    wide.write_csv(tmp_path / "a.csv")
    wide.write_excel(tmp_path / "b.xlsx")
    (tmp_path / "c.json").write_text(json.dumps(wide.to_dicts()))
    rows = "".join(f"<tr><th>{a}</th><td>{b}</td><td>{c}</td></tr>" for a, b, c in wide.iter_rows())
    (tmp_path / "d.html").write_text(
        f"<table><tr><th>town</th><th>f</th><th>m</th></tr>{rows}</table>"
    )
    long = wide.unpivot(["f", "m"], index="town", variable_name="sex", value_name="count")
    long.write_csv(tmp_path / "e.csv")
    (tmp_path / "f.txt").write_text("words")
    tables, others = read_outputs(tmp_path)
    assert len(tables) == 5
    assert all(table.cells == tables[0].cells for table in tables)
    assert tables[0].cells[frozenset({"a", "m"})] == 15
    assert others == ["f.txt"]


def test_totals_bind_their_parts() -> None:
    table = table_of(
        "t", [["town", "f", "m", "All"], ["a", "5", "c", "9"], ["All", "8", "7", "15"]]
    )
    assert table is not None
    assert table.cells[frozenset({"a", "m"})] is None
    assert (frozenset({"a"}), (frozenset({"a", "f"}), frozenset({"a", "m"}))) in table.sums
    assert table.counts


def test_no_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(mv.FileError, match="no folder"):
        read_outputs(tmp_path / "none")


def test_an_empty_folder_does_not_pass(tmp_path: Path) -> None:
    with pytest.raises(mv.FileError, match="no output to check"):
        read_outputs(tmp_path)
