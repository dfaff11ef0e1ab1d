"""How time and memory of the methods with kernels grow with the number of records, as a picture.

From 10⁴ to 10⁷ records on one column (10⁶ for MDAV, on five), warm, one run each in a process of
its own; peak memory is laid beside the columns a method touches. The picture goes into
docs/images/growth.svg when asked: `python benchmarks/bench_growth.py --draw`. `microagg1d` is
measured beside optimal groups.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
from peers import peer_seconds
from timing import medians, seconds_and_peak

import microveil as mv
from microveil.kernels.microaggregation.univariate_groups import optimal_groups

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
PEER = """
import statistics, time
import numpy as np
from microagg1d import univariate_microaggregation
values = np.random.default_rng(0).lognormal(size=1_000_000)
univariate_microaggregation(values[:1000], k=5)
taken = []
for _ in range(5):
    started = time.perf_counter()
    univariate_microaggregation(values, k=5)
    taken.append(time.perf_counter() - started)
print(statistics.median(taken))
"""
METHODS: dict[str, tuple[Callable[[], mv.Method], int, int]] = {
    "additive_noise": (lambda: mv.AdditiveNoise(columns="x0", sd_share=0.2), 1, 10_000_000),
    "rank_swap": (lambda: mv.RankSwap(columns="x0", range_share=0.2), 1, 10_000_000),
    "half_swap": (lambda: mv.HalfSwap(columns="x0"), 1, 10_000_000),
    "shuffle given 3": (
        lambda: mv.Shuffle(columns=["x0", "x1", "x2"], given=["x3", "x4", "x5"]),
        6,
        1_000_000,
    ),
    "pram": (lambda: mv.Pram(columns="c", retention=0.8), 1, 10_000_000),
    "microaggregate, one column": (lambda: mv.Microaggregate(columns="x0", k=5), 1, 10_000_000),
    "microaggregate optimal": (
        lambda: mv.Microaggregate(columns="x0", k=5, algorithm="optimal"),
        1,
        10_000_000,
    ),
    "mondrian, six columns": (
        lambda: mv.Mondrian(k=10, columns=[f"x{i}" for i in range(6)]),
        6,
        10_000_000,
    ),
    "microaggregate, five columns": (
        lambda: mv.Microaggregate(columns=[f"x{i}" for i in range(5)], k=5),
        5,
        1_000_000,
    ),
}


def table(n: int, width: int) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    numbers = {f"x{i}": rng.normal(100, 15, n).round(2) for i in range(width)}
    return pl.DataFrame(numbers | {"c": rng.integers(0, 5, n)})


def one(name: str, n: int) -> None:
    """Time, and peak memory over the columns touched, of one method on one size: printed."""
    make, width, _ = METHODS[name]
    make().protect(table(1000, width), seed=1)
    frame, step = table(n, width), make()
    taken, peak = seconds_and_peak(lambda: step.protect(frame, seed=1))
    print(taken, peak / (8 * n * width))


def measured() -> pl.DataFrame:
    """Every method on every size, each in a process of its own: memory is then its own, too."""
    rows = []
    for name, (_, _, most) in METHODS.items():
        for n in (size for size in SIZES if size <= most):
            command = [sys.executable, __file__, "--one", name, str(n)]
            out = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603  our own
            taken, peak = map(float, out.split())
            rows.append((name, n, taken, peak))
            print(f"{name:<30} {n:>10,} records {taken:8.3f} s, peak {peak:4.1f} × columns")
    return pl.DataFrame(rows, schema=["method", "records", "seconds", "peak"], orient="row")


def draw(found: pl.DataFrame, path: Path) -> None:
    import altair as alt

    from microveil.plots import to_svg

    base = (
        alt.Chart(alt.Data(values=found.to_dicts()))
        .mark_line(point=True)
        .encode(
            x=alt.X("records:Q", scale=alt.Scale(type="log"), axis=alt.Axis(values=list(SIZES))),
            color=alt.Color("method:N", title=None),
        )
        .properties(width=330, height=280)
    )
    chart = base.encode(
        y=alt.Y("seconds:Q", scale=alt.Scale(type="log"), axis=alt.Axis(tickCount=6))
    ).properties(title="Time") | base.encode(
        y=alt.Y("peak:Q", title="peak memory over the columns touched")
    ).properties(title="Memory")
    path.write_text(to_svg(chart), encoding="utf-8")


def beside_microagg1d() -> None:
    """Optimal groups of a million values at k = 5, sort included, beside the peer."""
    values = np.random.default_rng(0).lognormal(size=1_000_000)
    optimal_groups(values[:1000], 5)
    ours = medians({"ours": lambda: optimal_groups(values, 5)})["ours"]
    peer = peer_seconds("microagg1d", PEER)
    ratio = f"{peer[0]:.3f} s, ratio {ours / peer[0]:.2f} (goal ≤ 0.50)" if peer else "not here"
    print(f"optimal groups of 1,000,000 values: ours {ours:.3f} s, microagg1d {ratio}")


def main() -> None:
    if "--one" in sys.argv:
        one(sys.argv[-2], int(sys.argv[-1]))
        return
    found = measured()
    for name, group in found.group_by("method", maintain_order=True):
        ends = group.sort("records")
        slope = np.log(ends["seconds"][-1] / ends["seconds"][1]) / np.log(
            ends["records"][-1] / ends["records"][1]
        )
        print(f"{name[0]:<30} growth exponent from 100,000 on: {slope:.2f}")
    beside_microagg1d()
    if "--draw" in sys.argv:
        draw(found, Path(__file__).resolve().parent.parent / "docs" / "images" / "growth.svg")


if __name__ == "__main__":
    main()
