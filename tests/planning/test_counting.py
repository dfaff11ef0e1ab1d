"""DuckDB and Polars count the same classes of the same file."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from microveil.planning.counting import CountedFile
from microveil.planning.course import TooManyClassesError
from microveil.tables import Roles
from tests.planning.test_parts_equal_whole import people


def counted_both_ways(frame: pl.DataFrame, folder: Path) -> tuple[CountedFile, CountedFile]:
    path = folder / "people.parquet"
    frame.write_parquet(path)
    plan = pl.scan_parquet(path)
    return CountedFile(plan, Roles(), (path,)), CountedFile(plan, Roles())


@pytest.mark.parametrize("columns", [["age", "sex", "town"], ["pay"], ["born", "seen", "paid"]])
def test_duckdb_counts_what_polars_counts(columns: list[str], tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    by_duckdb, by_polars = counted_both_ways(people(), tmp_path)
    one, two = by_duckdb.count_distinct(columns, "pay"), by_polars.count_distinct(columns, "pay")
    assert one.keys.equals(two.keys)
    assert one.counts.tolist() == two.counts.tolist()
    assert one.weights == pytest.approx(two.weights)


def test_empty_text_is_missing_and_zero_has_no_sign(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    frame = pl.DataFrame(
        {
            "text": ["", None, "x", "x", ""],
            "kind": pl.Series(["a", "", None, "a", "b"], dtype=pl.Categorical),
            "real": [0.0, -0.0, float("nan"), None, 1.0],
            "weight": [1.0, 2.0, 3.0, 4.0, 5.0],
        }
    )
    by_duckdb, by_polars = counted_both_ways(frame, tmp_path)
    for columns in (["text"], ["kind"], ["real"], ["text", "kind", "real"]):
        one, two = (
            by_duckdb.count_distinct(columns, "weight"),
            by_polars.count_distinct(columns, "weight"),
        )
        assert one.keys.rows() == two.keys.rows()
        assert one.counts.tolist() == two.counts.tolist()
        assert one.weights == pytest.approx(two.weights)
    assert by_duckdb.count_distinct(["text"]).keys["text"].to_list() == [None, "x"]


def test_more_classes_than_may_be_held_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.parquet"
    people().write_parquet(path)
    for parquet in ((path,), ()):
        table = CountedFile(pl.scan_parquet(path), Roles(), parquet, None, 20 * 112)
        with pytest.raises(TooManyClassesError, match="combinations of 'age'"):
            table.count_distinct(["age"])
