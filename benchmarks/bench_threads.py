"""Threads: the same work with 1, 2, … threads, each number in a process of its own.

    python benchmarks/bench_threads.py [--threads 1,2] [--cases mondrian,cart] [--repeat 5]
    python benchmarks/bench_threads.py --draw rows.jsonl

The processes take turns: each runs the work once to load and compile, then one repetition after the
other, never two at a time; medians count. ``speedup`` is the wall-clock time with one thread
divided by that with more, ``cpu`` the CPU seconds with more divided by those with one, ``serial``
the share of the work that must be serial for that speed-up (Amdahl). ``own_s`` are the CPU seconds
of the calling thread: while others work, it waits, so they are what no number of threads makes
shorter; ``possible`` is the speed-up that these numbers allow on an idle machine, and can be told
on a busy one. ``others`` is the share of the machine that other processes took meanwhile: where it
is not small, ``speedup`` says nothing. A digest of the result is the same for all of them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

from thread_cases import SIZES, digest, work_of

Row = dict[str, Any]
TICKS = os.sysconf("SC_CLK_TCK")


def busy_seconds() -> float:
    """CPU seconds of all processes of the machine since it started; 0 where nobody tells."""
    told = Path("/proc/stat")
    if not told.exists():
        return 0.0
    user, nice, system, _, _, irq, soft, steal = map(int, told.read_text().split()[1:9])
    return (user + nice + system + irq + soft + steal) / TICKS


def once(work: Any) -> tuple[Row, Any]:
    """The work once: seconds of the wall, of all its threads, of the calling one, of others."""
    busy, own = busy_seconds(), time.thread_time()
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    own, busy = time.thread_time() - own, busy_seconds() - busy
    others = max(busy - cpu, 0.0) / (wall * (os.cpu_count() or 1))
    return {"wall_s": wall, "cpu_s": cpu, "own_s": own, "others": others}, result


def serve(case: str) -> None:
    """Do the work once for each line that comes, and tell what it took."""
    work = work_of(case)
    result = work()
    for _ in sys.stdin:
        told, result = once(work)
        sys.stdout.write(json.dumps(told | {"digest": digest(result)}) + "\n")
        sys.stdout.flush()


def start(case: str, threads: int) -> subprocess.Popen[str]:
    words = [sys.executable, __file__, "--serve", case]
    names = ("MICROVEIL_THREADS", "POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    environment = {**os.environ, **dict.fromkeys(names, str(threads))}
    pipe = subprocess.PIPE
    return subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, env=environment)  # noqa: S603


def ask(worker: subprocess.Popen[str]) -> Row:
    assert worker.stdin
    assert worker.stdout
    worker.stdin.write("again\n")
    worker.stdin.flush()
    told: Row = json.loads(worker.stdout.readline())
    return told


def measure(case: str, threads: list[int], repeat: int) -> list[Row]:
    """A row for each number of threads, whose processes took turns."""
    workers = {number: start(case, number) for number in threads}
    rounds = [{number: ask(worker) for number, worker in workers.items()} for _ in range(repeat)]
    for worker in workers.values():
        worker.communicate()
    assert len({told["digest"] for turn in rounds for told in turn.values()}) == 1, case
    numbers = ("wall_s", "cpu_s", "own_s", "others")
    return [
        {"case": case, "threads": n}
        | {name: round(median(turn[n][name] for turn in rounds), 3) for name in numbers}
        for n in threads
    ]


def compared(row: Row, first: Row) -> Row:
    """A row beside that of the first number of threads."""
    threads, speedup = row["threads"], first["wall_s"] / row["wall_s"]
    shared = (row["cpu_s"] - row["own_s"]) / threads
    found = {"speedup": speedup, "cpu": row["cpu_s"] / first["cpu_s"]}
    found["possible"] = first["cpu_s"] / (row["own_s"] + shared)
    if threads > 1:
        found["serial"] = (threads / speedup - 1) / (threads - 1)
    return row | {name: round(value, 2) for name, value in found.items()}


def draw(rows: list[Row]) -> None:
    """CPU of the calling thread and of the others, by number of threads, as a picture."""
    import altair as alt

    from microveil.plots import to_svg

    both = (("on the calling thread", "own_s"), ("on other threads", "shared_s"))
    bars = [
        {**row, "where": where, "seconds": row[name]}
        for row in (one | {"shared_s": one["cpu_s"] - one["own_s"]} for one in rows)
        for where, name in both
    ]
    chart = (
        alt.Chart(alt.Data(values=bars))
        .mark_bar()
        .encode(
            x=alt.X("seconds:Q", title="CPU seconds"),
            y=alt.Y("threads:O", title="threads"),
            color=alt.Color("where:N", title=None),
            row=alt.Row("case:N", title=None, sort=None, header=alt.Header(labelAngle=0)),
        )
        .properties(width=420)
    )
    picture = Path(__file__).resolve().parent.parent / "docs" / "images" / "threads.svg"
    picture.write_text(to_svg(chart), encoding="utf-8")


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--threads", default=",".join(str(n) for n in (1, os.cpu_count() or 1)))
    asked.add_argument("--cases", default=",".join(SIZES))
    asked.add_argument("--repeat", type=int, default=5)
    asked.add_argument("--serve")
    asked.add_argument("--draw", help="a file of rows that this printed before: only draw them")
    given = asked.parse_args()
    if given.serve:
        serve(given.serve)
        return
    if given.draw:
        draw([json.loads(line) for line in Path(given.draw).read_text().splitlines()])
        return
    for case in given.cases.split(","):
        rows = measure(case, [int(n) for n in given.threads.split(",")], given.repeat)
        for row in rows:
            sys.stdout.write(json.dumps(compared(row, rows[0])) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
