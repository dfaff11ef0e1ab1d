"""Threads: the same work with 1, 2, … threads, each in a process of its own.

    python benchmarks/bench_threads.py [--threads 1,2] [--cases mondrian,cart] [--repeat 3]

Each case is run once to load and compile, then timed; the median of the repetitions counts.
``speedup`` is the wall-clock time with one thread divided by that with more, ``cpu`` the CPU
seconds with more divided by those with one. ``serial_s`` are the CPU seconds of the calling thread:
while others work, it waits, so they are what no number of threads makes shorter. ``possible`` is
the speed-up that these numbers allow on an idle machine; it can be told on a busy one. A digest of
the result is the same for all of them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

SIZES = {
    "classes": 10_000_000,
    "mondrian": 5_000_000,
    "local_suppression": 1_000_000,
    "mdav": 300_000,
    "cart": 200_000,
    "linkage": 300_000,
    "local_recoding": 300_000,
    "separation": 1_000_000,
    "assess": 1_000_000,
}


def people(n: int) -> Any:
    import polars as pl

    rng = np.random.default_rng(1)
    keys = {
        name: rng.integers(0, top, n) for name, top in zip("abcde", (80, 2, 50, 10, 5), strict=True)
    }
    real = {"v": rng.lognormal(3, 1, n), "u": rng.normal(0, 1, n), "w": rng.normal(0, 1, n)}
    return pl.DataFrame({**keys, **real, "s": rng.choice(["x", "y", "z", "w"], n)})


def works(n: int) -> dict[str, Callable[[], Any]]:
    import microveil as mv

    frame = people(n)
    roles = mv.Roles(quasi_identifiers=list("abcde"), sensitive=["s"])

    def applied(step: mv.Method) -> Any:
        return step.apply(mv.Table(frame, roles), np.random.default_rng(1)).table.frame

    def linked() -> Any:
        other = frame.with_columns(v=frame["v"] * 1.02, u=frame["u"] + 0.1)
        return mv.RecordLinkage(columns=["v", "u", "w"]).measure(frame, other).value

    return {
        "classes": lambda: mv.Classes.of(mv.Table(frame, roles)).counts,
        "mondrian": lambda: applied(mv.Mondrian(k=5)),
        "local_suppression": lambda: applied(mv.LocalSuppression(k=3)),
        "mdav": lambda: applied(mv.Microaggregate(columns=["v", "u", "w"], k=5)),
        "cart": lambda: applied(mv.Synthesize()),
        "linkage": linked,
        "local_recoding": lambda: applied(mv.LocalRecoding(k=5, steps=1_000_000)),
        "separation": lambda: mv.KeySeparation().measure(mv.Table(frame, roles)).value,
        "assess": lambda: mv.assess(frame, roles).k,
    }


def digest(result: Any) -> str:
    data = result.hash_rows().to_numpy().tobytes() if hasattr(result, "hash_rows") else None
    data = data if data is not None else np.asarray(result).tobytes()
    return hashlib.sha256(data).hexdigest()[:16]


def one(case: str, repeat: int) -> None:
    work = works(SIZES[case])[case]
    work()
    walls, cpus, own, result = [], [], [], None
    for _ in range(repeat):
        wall, cpu, alone = time.perf_counter(), time.process_time(), time.thread_time()
        result = work()
        own.append(time.thread_time() - alone)
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    told = {"wall_s": median(walls), "cpu_s": median(cpus), "serial_s": median(own)}
    told |= {"digest": digest(result)}
    sys.stdout.write(json.dumps(told))


def run(case: str, threads: int, repeat: int) -> dict[str, Any]:
    words = [sys.executable, __file__, "--one", case, "--repeat", str(repeat)]
    environment = {**os.environ, "MICROVEIL_THREADS": str(threads)}
    environment |= {"POLARS_MAX_THREADS": str(threads), "OMP_NUM_THREADS": str(threads)}
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=environment)  # noqa: S603
    found: dict[str, Any] = json.loads(done.stdout)
    return {"case": case, "threads": threads, **found}


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--threads", default=",".join(str(n) for n in (1, os.cpu_count() or 1)))
    asked.add_argument("--cases", default=",".join(SIZES))
    asked.add_argument("--repeat", type=int, default=3)
    asked.add_argument("--one")
    given = asked.parse_args()
    if given.one:
        one(given.one, given.repeat)
        return
    for case in given.cases.split(","):
        rows = [run(case, int(n), given.repeat) for n in given.threads.split(",")]
        assert len({row["digest"] for row in rows}) == 1, f"{case}: threads change the result"
        for row in rows:
            row["speedup"] = round(rows[0]["wall_s"] / row["wall_s"], 2)
            row["cpu"] = round(row["cpu_s"] / rows[0]["cpu_s"], 2)
            shared = (row["cpu_s"] - row["serial_s"]) / row["threads"]
            row["possible"] = round(rows[0]["cpu_s"] / (row["serial_s"] + shared), 2)
            sys.stdout.write(json.dumps(row) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
