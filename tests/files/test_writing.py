from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from microveil.errors import FileError, InternalError
from microveil.files import BatchWriter, read, write

FRAME = pl.DataFrame({"x": range(1000)})


def test_rows_leave_in_random_order_unless_asked_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    assert write(FRAME, path).shuffled
    first = read(path)["x"].to_list()
    assert write(FRAME, path).shuffled
    assert first != read(path)["x"].to_list() != list(range(1000))
    assert sorted(first) == list(range(1000))
    assert not write(FRAME, path, keep_order=True).shuffled
    assert_frame_equal(read(path), FRAME)


def test_rows_stay_whole_when_shuffled(tmp_path: Path) -> None:
    frame = FRAME.with_columns(y=pl.col("x") * 2, s=pl.col("x").cast(pl.String))
    write(frame, tmp_path / "t.csv")
    back = read(tmp_path / "t.csv", types={"s": "text"})
    assert_frame_equal(back.sort("x"), frame)


def test_the_same_rng_gives_the_same_order(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        write(FRAME, tmp_path / name, rng=np.random.default_rng(7))
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_the_frame_handed_in_stays_as_it_is(tmp_path: Path) -> None:
    frame = pl.DataFrame({"s": ["=1", "b"], "f": [float("nan"), 1.0]})
    before = frame.clone()
    write(frame, tmp_path / "t.csv")
    assert_frame_equal(frame, before)


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.jsonl", "t.xlsx", "t.sav"])
def test_batches_make_one_file(name: str, tmp_path: Path) -> None:
    with BatchWriter(tmp_path / name) as writer:
        for start in range(0, 1000, 300):
            writer.append(FRAME[start : start + 300])
        assert not (tmp_path / name).exists()
    assert writer.report.n_rows == 1000
    assert_frame_equal(read(tmp_path / name), FRAME)


def test_batches_with_categories_of_their_own_make_one_file(tmp_path: Path) -> None:
    with BatchWriter(tmp_path / "t.parquet") as writer:
        for letters in (["a", "b"], ["c", "a"]):
            writer.append(pl.DataFrame({"c": pl.Series(letters, dtype=pl.Categorical)}))
    assert read(tmp_path / "t.parquet")["c"].cast(pl.String).to_list() == ["a", "b", "c", "a"]


def test_counts_of_neutralised_cells_add_up_over_batches(tmp_path: Path) -> None:
    with BatchWriter(tmp_path / "t.csv") as writer:
        for _ in range(3):
            writer.append(pl.DataFrame({"s": ["=1", "fine"]}))
    assert writer.report.n_neutralized == {"s": 3}
    assert writer.report.to_dict()["n_neutralized"] == {"s": 3}


def _write_both(path: Path, *cells: dict[str, list[Any]]) -> None:
    with BatchWriter(path) as writer:
        for columns in cells:
            writer.append(pl.DataFrame(columns))


def test_batches_must_share_their_columns(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="same columns"):
        _write_both(tmp_path / "t.csv", {"x": [1]}, {"y": [1]})
    with pytest.raises(FileError, match="same types"):
        _write_both(tmp_path / "t.csv", {"x": [1]}, {"x": ["secret"]})
    assert list(tmp_path.iterdir()) == []


def test_a_batch_of_nothing_but_missing_cells_fits(tmp_path: Path) -> None:
    with BatchWriter(tmp_path / "t.parquet") as writer:
        writer.append(pl.DataFrame({"x": [1], "s": ["a"]}))
        writer.append(pl.DataFrame({"s": [None], "x": [2]}))
    assert read(tmp_path / "t.parquet").rows() == [(1, "a"), (2, None)]


def test_without_a_frame_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no frame was appended"), BatchWriter(tmp_path / "t.csv"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_table_without_columns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="without columns"):
        write(pl.DataFrame(), tmp_path / "t.csv")


def test_a_report_before_the_end_is_our_fault(tmp_path: Path) -> None:
    writer = BatchWriter(tmp_path / "t.csv")
    with pytest.raises(InternalError):
        _ = writer.report
