from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from microveil.errors import FileError
from microveil.files import ShuffledBatchWriter, read
from microveil.files.external_shuffle import buckets_for


def _interrupted(path: Path) -> None:
    with ShuffledBatchWriter(path) as writer:
        writer.append(pl.DataFrame({"x": [1]}))
        raise KeyboardInterrupt


@pytest.mark.parametrize("name", ["t.parquet", "t.csv", "t.jsonl"])
def test_all_rows_of_all_batches_are_there_in_another_order(name: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": range(5000), "s": [f"n{n}" for n in range(5000)]})
    with ShuffledBatchWriter(tmp_path / name, n_buckets=7) as writer:
        for part in frame.iter_slices(900):
            writer.append(part)
    back = read(tmp_path / name)
    assert_frame_equal(back.sort("x"), frame)
    assert back["x"].to_list() != frame["x"].to_list()
    assert writer.report.shuffled
    assert writer.report.n_rows == 5000
    assert [item.name for item in tmp_path.iterdir()] == [name]


def test_every_type_passes_the_buckets(every_type: pl.DataFrame, tmp_path: Path) -> None:
    with ShuffledBatchWriter(tmp_path / "t.parquet", n_buckets=3) as writer:
        writer.append(every_type)
        writer.append(every_type)
    back = read(tmp_path / "t.parquet")
    assert back.schema == every_type.schema
    assert back.height == 6


def test_buckets_are_neither_tiny_nor_larger_than_memory() -> None:
    assert [buckets_for(n) for n in (0, 1, 1 << 17, (1 << 17) + 1, 10**6)] == [1, 1, 1, 2, 8]
    assert buckets_for(10**8) == 64
    assert 10**9 / buckets_for(10**9) <= 1 << 21
    assert buckets_for(10**12) == 500  # open files are limited


def test_every_order_is_about_equally_likely(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(180):
        with ShuffledBatchWriter(tmp_path / "t.jsonl", rng=rng, n_buckets=2) as writer:
            writer.append(pl.DataFrame({"x": [0, 1]}))
            writer.append(pl.DataFrame({"x": [2]}))
        orders[tuple(read(tmp_path / "t.jsonl")["x"])] += 1
    assert len(orders) == 6
    assert max(abs(count - 30) for count in orders.values()) < 25  # five standard deviations


def test_places_do_not_depend_on_where_a_row_came_from(tmp_path: Path) -> None:
    n_rows = 100_000
    with ShuffledBatchWriter(tmp_path / "t.parquet", rng=np.random.default_rng(5)) as writer:
        for start in range(0, n_rows, 10_000):
            writer.append(pl.DataFrame({"x": range(start, start + 10_000)}))
    order = read(tmp_path / "t.parquet")["x"].to_numpy()
    assert abs(np.corrcoef(order, np.arange(n_rows))[0, 1]) < 0.016  # five standard errors
    assert abs(np.mean(np.diff(order) == 1) - 1 / n_rows) < 1e-4


def test_the_same_rng_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        with ShuffledBatchWriter(tmp_path / name, rng=np.random.default_rng(1)) as writer:
            writer.append(pl.DataFrame({"x": range(100)}))
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_a_failure_leaves_the_old_file_and_no_buckets(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"the old file")
    with pytest.raises(KeyboardInterrupt):
        _interrupted(path)
    assert path.read_bytes() == b"the old file"
    assert list(tmp_path.iterdir()) == [path]


def test_bad_beginnings_are_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="at least 1 bucket"):
        ShuffledBatchWriter(tmp_path / "t.csv", n_buckets=0)
    with (
        pytest.raises(FileError, match="no frame was appended"),
        ShuffledBatchWriter(tmp_path / "t.csv"),
    ):
        pass
    with (
        pytest.raises(FileError, match="no folder"),
        ShuffledBatchWriter(tmp_path / "no" / "t.csv"),
    ):
        pass


def test_memory_stays_below_the_table(tmp_path: Path) -> None:
    program = """
import sys
import numpy as np, polars as pl
from microveil.files import ShuffledBatchWriter, batches
rng = np.random.default_rng(0)
def peak():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
def frame(n):
    return pl.DataFrame({f"c{i}": rng.integers(0, 2**60, n) for i in range(12)})
with ShuffledBatchWriter(sys.argv[1]) as writer:
    writer.append(frame(50_000))
    before = peak()
    for _ in range(39):
        writer.append(frame(50_000))
print((peak() - before) // 1024)
"""
    path = tmp_path / "t.parquet"
    answer = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program, str(path)], capture_output=True, check=True, text=True
    )
    table_megabytes = 2_000_000 * 12 * 8 // 2**20
    assert int(answer.stdout) < table_megabytes // 2
    assert read(path, columns=["c0"]).height == 2_000_000
