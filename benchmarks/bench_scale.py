"""Scale: counting, a full recipe in parts, and Spark, by the number of rows.

Cases, each in a process of its own so that its peak of memory is its own:

``count``    k and classes of six keys: ours beside DuckDB's bare group-by and Polars' streaming one
``recipe``   mask, generalise, optimal search, suppress, verify, write: `run_file(in_parts=True)`
``mondrian`` the same with Mondrian
``swap``     rank swapping of a number by external sort
``spark``    Mondrian on `local[1]` and `local[2]`, and the overhead against one process

    python benchmarks/bench_scale.py 1000000 10000000 [--cases count,recipe] [--folder DIR]

``cpu_s`` is the work alone: libraries are loaded and kernels compiled by a run on a small table
before the clock starts. ``process_cpu_s`` includes that.

The table is made by a fixed seed: four text keys, two whole numbers, a sensitive text, two
measurements and an identifier.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROWS_AT_A_TIME = 1_000_000
SMALL = 10_000
"""Rows of the table that everything is tried on before the clock starts."""
MONDRIAN = [{"method": "drop", "columns": ["name"]}, {"method": "mondrian", "k": 5}]
KEYS = ["age", "sex", "region", "job", "family", "children"]
RECIPE: dict[str, Any] = {
    "roles": {
        "identifiers": ["name"],
        "quasi_identifiers": KEYS,
        "sensitive": ["illness"],
        "insensitive": ["income", "height"],
    },
    "steps": [
        {"method": "mask", "columns": ["name"], "keep_start": 1},
        {
            "method": "generalize",
            "column": "age",
            "hierarchy": {"hierarchy": "intervals", "width": 5},
            "level": 1,
        },
        {"method": "optimal_generalization", "k": 5, "suppression_share": 0.02},
        {"method": "suppress_records", "k": 5},
    ],
    "require": [
        {"model": "k_anonymity", "k": 5},
        {"model": "l_diversity", "l": 2, "column": "illness"},
    ],
}


def made(folder: Path, n_rows: int) -> Path:
    """The table of so many rows, written once."""
    import polars as pl
    import pyarrow.parquet as pq

    path = folder / f"people-{n_rows}.parquet"
    if path.exists():
        return path
    writer = None
    for start in range(0, n_rows, ROWS_AT_A_TIME):
        n = min(ROWS_AT_A_TIME, n_rows - start)
        rng = np.random.default_rng([7, start])
        regions = np.array([f"region {i:02d}" for i in range(40)])
        jobs = np.array([f"job {i:02d}" for i in range(25)])
        frame = pl.DataFrame(
            {
                "name": pl.Series(np.arange(start, start + n)).cast(pl.String),
                "age": rng.integers(18, 90, n).astype(np.int16),
                "sex": rng.choice(["f", "m"], n),
                "region": regions[np.minimum(rng.geometric(0.08, n) - 1, 39)],
                "job": jobs[np.minimum(rng.geometric(0.15, n) - 1, 24)],
                "family": rng.choice(["single", "married", "widowed"], n, p=[0.45, 0.5, 0.05]),
                "children": np.minimum(rng.poisson(1.2, n), 5).astype(np.int8),
                "illness": rng.choice(
                    ["none", "flu", "gout", "asthma"], n, p=[0.7, 0.2, 0.05, 0.05]
                ),
                "income": rng.lognormal(10, 0.6, n).round(0),
                "height": rng.normal(170, 10, n).round(1),
            }
        )
        table = frame.to_arrow()
        if writer is None:
            writer = pq.ParquetWriter(path, table.schema, compression="zstd")
        writer.write_table(table, row_group_size=500_000)
    if writer is not None:
        writer.close()
    return path


class Clock:
    """CPU seconds of this process, and of those it has waited for, since the clock was made."""

    def __init__(self) -> None:
        self.start = self._now()

    def seconds(self) -> float:
        """Since then."""
        return round(self._now() - self.start, 1)

    @staticmethod
    def _now() -> float:
        whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        used = [resource.getrusage(who) for who in whose]
        return sum(one.ru_utime + one.ru_stime for one in used)


def count_ours(path: Path) -> dict[str, Any]:
    from microveil.app.counted import counted_file
    from microveil.tables import Classes, Roles

    roles = Roles(quasi_identifiers=KEYS)
    Classes.of(counted_file(made(path.parent, SMALL), roles))
    clock = Clock()
    classes = Classes.of(counted_file(path, roles))
    return {"k": classes.k, "n_classes": classes.n_classes, "cpu_s": clock.seconds()}


def count_duckdb(path: Path) -> dict[str, Any]:
    import duckdb

    keys = ", ".join(KEYS)
    clock = Clock()
    rows = duckdb.sql(f"SELECT {keys}, count(*) n FROM read_parquet('{path}') GROUP BY ALL")  # noqa: S608  ours
    return {"n_classes": rows.to_arrow_table().num_rows, "cpu_s": clock.seconds()}


def count_polars(path: Path) -> dict[str, Any]:
    import polars as pl

    clock = Clock()
    rows = pl.scan_parquet(path).group_by(KEYS).len().collect(engine="streaming")
    return {"n_classes": rows.height, "cpu_s": clock.seconds()}


def recipe(path: Path) -> dict[str, Any]:
    return _timed(path, RECIPE["steps"])


def mondrian(path: Path) -> dict[str, Any]:
    return _timed(path, MONDRIAN)


def swap(path: Path) -> dict[str, Any]:
    return _timed(
        path, [MONDRIAN[0], {"method": "rank_swap", "columns": ["income"], "range_share": 0.05}]
    )


def _timed(path: Path, steps: list[dict[str, Any]]) -> dict[str, Any]:
    """The run on a small table first, which loads and compiles, then on the table itself."""
    _run(made(path.parent, SMALL), steps)
    price = _priced(path, steps)
    clock, started = Clock(), time.perf_counter()
    found = _run(path, steps)
    return {
        **found,
        **price,
        "cpu_s": clock.seconds(),
        "run_wall_s": round(time.perf_counter() - started, 1),
    }


def _run(path: Path, steps: list[dict[str, Any]]) -> dict[str, Any]:
    import microveil as mv

    out = path.with_name(f"out-{path.name}")
    done = mv.run_file(
        _parsed(steps), path, out, seed=1, in_parts=True, details=False, memory_limit="8GiB"
    )
    out.unlink(missing_ok=True)
    return {"holds": done.holds, "n_records": done.n_records, "k": done.after.k}


def _priced(path: Path, steps: list[dict[str, Any]]) -> dict[str, Any]:
    """The price told before the run."""
    import microveil as mv

    out = path.with_name(f"out-{path.name}")
    price = mv.price_file(_parsed(steps), path, out, memory_limit="8GiB")
    return {
        "price_seconds": round(price.seconds, 1),
        "price_gib": round(price.memory / 2**30, 2),
    }


def _parsed(steps: list[dict[str, Any]]) -> Any:
    import microveil as mv

    require = RECIPE["require"][:1] if steps[-1]["method"] != "rank_swap" else []
    return mv.Recipe.parse({**RECIPE, "steps": steps, "require": require})


def spark_one(path: Path) -> dict[str, Any]:
    return _spark(path, "local[1]")


def spark_two(path: Path) -> dict[str, Any]:
    return _spark(path, "local[2]")


def _spark(path: Path, master: str) -> dict[str, Any]:
    import shutil

    import microveil as mv
    from microveil.spark import run_on_spark, spark_session

    session = spark_session(master, **{"spark.driver.memory": "8g"})
    parsed = mv.Recipe.parse({**RECIPE, "steps": MONDRIAN, "require": RECIPE["require"][:1]})
    clock, started = Clock(), time.perf_counter()
    release = run_on_spark(parsed, session.read.parquet(str(path)), seed=1, memory_limit="8GiB")
    planned = time.perf_counter() - started
    out = path.with_name(f"spark-out-{path.stem}")
    told = release.write(out)
    seconds = time.perf_counter() - started
    of_spark = cpu_of_descendants()
    shutil.rmtree(out)
    session.stop()
    return {
        "n_rows": told.n_rows,
        "run_wall_s": round(seconds, 1),
        "planned_wall_s": round(planned, 1),
        "driver_python_cpu_s": clock.seconds(),
        "spark_cpu_s": round(of_spark, 1),
    }


def cpu_of_descendants() -> float:
    """CPU seconds of all processes that this one started, and of those that they did."""
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (entry / "stat").exists():
            fields = (entry / "stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
            parents[int(entry.name)] = int(fields[1])
            # Own, and of children that have ended.
            used[int(entry.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def below(pid: int) -> bool:
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()

    return sum(seconds for pid, seconds in used.items() if pid != os.getpid() and below(pid))


CASES: dict[str, list[Callable[[Path], dict[str, Any]]]] = {
    "count": [count_ours, count_duckdb, count_polars],
    "recipe": [recipe],
    "mondrian": [mondrian],
    "swap": [swap],
    "spark": [spark_one, spark_two],
}


def measured(name: str, path: Path) -> dict[str, Any]:
    """One case in a process of its own: wall and CPU seconds, peak memory."""
    started = time.perf_counter()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, __file__, "--one", name, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  ourselves
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        return {"failed": done.stderr.strip().splitlines()[-1:]}
    told: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "wall_s": round(time.perf_counter() - started, 1),
        "process_cpu_s": round(cpu, 1),
        **told,
    }


def drawn(costs: dict[int, float], path: Path) -> None:
    """The CPU cost of a row of the full recipe, by the number of rows, as SVG."""
    import altair as alt

    from microveil.plots.export import to_svg

    points = [{"rows": n, "cost": round(cost, 2)} for n, cost in costs.items()]
    scale = {"type": "log", "domain": [5e5, 2e8]}
    axis = {"values": [1e6, 1e7, 1e8], "format": ",.0f", "title": "rows"}
    chart = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": "Full recipe in parts: CPU per row",
        "width": 420,
        "height": 220,
        "data": {"values": points},
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": {"field": "rows", "type": "quantitative", "scale": scale, "axis": axis},
            "y": {"field": "cost", "type": "quantitative", "title": "µs of CPU per row"},
        },
    }
    path.write_text(to_svg(alt.Chart.from_dict(chart)), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int, nargs="*", default=[1_000_000, 10_000_000])
    parser.add_argument("--cases", default="count,recipe,mondrian,spark")
    parser.add_argument("--folder", type=Path, default=None)
    parser.add_argument("--plot", type=Path, default=None, help="draw the cost of a row as SVG")
    parser.add_argument("--one", nargs=2, default=None, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one is not None:
        name, path = asked.one
        every = {case.__name__: case for cases in CASES.values() for case in cases}
        found = every[name](Path(path))
        status = Path("/proc/self/status").read_text(encoding="ascii")
        peak = int(status.split("VmHWM:")[1].split()[0]) / 2**20
        print(json.dumps({**found, "peak_gib": round(peak, 2)}))
        return
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="microveil-scale-"))
    costs: dict[int, float] = {}
    for n_rows in asked.rows:
        path = made(folder, n_rows)
        for group in asked.cases.split(","):
            for case in CASES[group]:
                told = measured(case.__name__, path)
                print(f"{n_rows:>11,} {case.__name__:14} {json.dumps(told)}", flush=True)
                if case is recipe and "cpu_s" in told:
                    costs[n_rows] = told["cpu_s"] / n_rows * 1e6
    if asked.plot is not None:
        drawn(costs, asked.plot)


if __name__ == "__main__":
    main()
