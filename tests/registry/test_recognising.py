from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.registry.recognising import recognise


def test_a_file_is_recognised_by_its_bytes_or_its_rows(tmp_path: Path) -> None:
    registry = mv.Registry(tmp_path / "r.db", key=b"k" * 32, create=True)
    frame = pl.DataFrame({"a": [1, 1, 2, 2], "b": ["x", None, "y", "y"]})
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["a"]), undeclared="keep")
    mv.run(recipe, frame, registry=registry).write(tmp_path / "out.csv")
    assert recognise(registry, tmp_path / "out.csv").by == "bytes"
    mv.write(mv.read(tmp_path / "out.csv").sort("a", descending=True), tmp_path / "copy.parquet")
    found = recognise(registry, tmp_path / "copy.parquet")
    assert (found.by, found.holds) == ("rows", True)
    mv.write(frame[:3], tmp_path / "other.csv")
    assert "not among the releases" in recognise(registry, tmp_path / "other.csv").sentence()
    (tmp_path / "no.table").write_bytes(b"\x00\x01")
    assert not recognise(registry, tmp_path / "no.table").holds
    with pytest.raises(mv.FileError, match="no file"):
        recognise(registry, tmp_path / "nothing.csv")
