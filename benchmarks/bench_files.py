"""Reading and writing 260,000 × 7 cells, beside bare Polars; streams of 4 million rows.

Run it: ``python benchmarks/bench_files.py``. Seconds, best of three; memory is the growth of the
process's peak.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

from microveil.files import BatchWriter, ShuffledBatchWriter, batches, read, write

N_ROWS = 260_000
N_STREAMED = 4_000_000


def views(n_rows: int) -> pl.DataFrame:
    rng = np.random.default_rng(1)
    octets = rng.integers(0, 256, (n_rows, 4)).astype(str)
    return pl.DataFrame(
        {
            "user": [f"user{n}" for n in range(n_rows)],
            "ip": [".".join(row) for row in octets],
            "platform": rng.choice(["net", "video", "dating", "news"], n_rows),
            "date": pl.Series(rng.integers(18_000, 19_000, n_rows), dtype=pl.Int32).cast(pl.Date),
            "ads": rng.integers(0, 50, n_rows),
            "seconds": rng.random(n_rows) * 600,
            "kind": rng.choice(["shoes A", "shoes B", "phone C"], n_rows),
        }
    )


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def formats(folder: Path) -> None:
    frame = views(N_ROWS)
    print(f"{N_ROWS:,} × {frame.width}          write     read")
    for name in (
        "t.csv",
        "t.csv.gz",
        "t.parquet",
        "t.jsonl",
        "t.sav",
        "t.dta",
        "t.xlsx",
        "t.duckdb",
    ):
        path = folder / name
        table = "t" if name == "t.duckdb" else None
        once = 1 if name in ("t.xlsx", "t.sav", "t.dta") else 3
        written = seconds(lambda p=path, t=table: write(frame, p, table=t), once)  # type: ignore[misc] # a default binds the loop's value
        taken = seconds(lambda p=path, t=table: read(p, table=t), once)  # type: ignore[misc] # likewise
        print(f"{name:<18} {written:>10.2f} {taken:>8.2f}")
    bare = seconds(lambda: pl.read_csv(folder / "t.csv", try_parse_dates=True))
    ours = seconds(lambda: read(folder / "t.csv"))
    print(f"CSV read, ours / bare Polars (types from 100 rows): {ours / bare:.1f}")
    assert ours < 0.5


def peak() -> int:
    # Not getrusage: its peak is handed down from the process that started this one.
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def stream(kind: str, source: Path, target: Path) -> None:
    before = peak()
    start = time.perf_counter()
    writer = BatchWriter(target) if kind == "plain" else ShuffledBatchWriter(target)
    with writer:
        for part in batches(source, 100_000):
            writer.append(part)
    grown = (peak() - before) / 1024
    print(f"{kind:<9} {source.suffix:<9} {time.perf_counter() - start:>6.2f} s {grown:>7.0f} MB")


def streams(folder: Path) -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({f"c{n}": rng.integers(0, 10**6, N_STREAMED) for n in range(8)})
    print(f"{N_STREAMED:,} × 8 rows, {frame.estimated_size() / 2**20:.0f} MB as a frame")
    for suffix in (".parquet", ".csv"):
        write(frame, folder / f"s{suffix}", keep_order=True)
        for kind in ("plain", "shuffled"):
            # A process of its own: the peak of memory never falls again.
            arguments = [kind, str(folder / f"s{suffix}"), str(folder / f"out{suffix}")]
            subprocess.run([sys.executable, __file__, *arguments], check=True)  # noqa: S603 - this very file


if __name__ == "__main__":
    if len(sys.argv) > 1:
        stream(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        with tempfile.TemporaryDirectory() as scratch:
            formats(Path(scratch))
            streams(Path(scratch))
