"""How time and memory of the perturbative methods grow with the number of records, as a picture.

From 10⁴ to 10⁷ records on one column (10⁶ for MDAV, on five), warm, one run each; peak memory is
laid beside the columns a method touches. The picture goes into docs/images/growth.svg when asked:
`python benchmarks/bench_growth.py --draw`. `microagg1d` is measured beside optimal groups.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
from peers import peer_seconds
from timing import seconds_and_peak

import microveil as mv

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
PEER = """
import time, numpy as np
from microagg1d import univariate_microaggregation
for n in (1_000_000,):
    values = np.random.default_rng(0).lognormal(size=n)
    univariate_microaggregation(values[:1000], k=5)
    started = time.perf_counter()
    univariate_microaggregation(values, k=5)
    print(time.perf_counter() - started)
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
    "microaggregate, five columns": (
        lambda: mv.Microaggregate(columns=[f"x{i}" for i in range(5)], k=5),
        5,
        1_000_000,
    ),
}


def table(n: int, width: int) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    numbers = {f"x{i}": rng.lognormal(size=n) for i in range(width)}
    return pl.DataFrame(numbers | {"c": rng.integers(0, 5, n)})


def measured() -> pl.DataFrame:
    rows = []
    for name, (make, width, most) in METHODS.items():
        make().protect(table(1000, width), seed=1)
        for n in (size for size in SIZES if size <= most):
            frame = table(n, width)
            taken, peak = seconds_and_peak(
                lambda make=make, frame=frame: make().protect(frame, seed=1)
            )
            touched = 8 * n * width
            rows.append((name, n, taken, peak / touched))
            print(
                f"{name:<30} {n:>10,} records {taken:8.3f} s   peak {peak / touched:4.1f} × columns"
            )
    return pl.DataFrame(rows, schema=["method", "records", "seconds", "peak"], orient="row")


def draw(found: pl.DataFrame, path: Path) -> None:
    import altair as alt

    from microveil.plots import to_svg

    chart = (
        alt.Chart(alt.Data(values=found.to_dicts()))
        .mark_line(point=True)
        .encode(
            x=alt.X("records:Q", scale=alt.Scale(type="log"), title="records"),
            y=alt.Y("seconds:Q", scale=alt.Scale(type="log"), title="seconds"),
            color=alt.Color("method:N", title=None),
        )
        .properties(width=560, height=320, title="Time grows nearly in proportion to the records")
    )
    path.write_text(to_svg(chart.to_dict()), encoding="utf-8")


def main() -> None:
    found = measured()
    for name, group in found.group_by("method", maintain_order=True):
        ends = group.sort("records")
        slope = np.log(ends["seconds"][-1] / ends["seconds"][1]) / np.log(
            ends["records"][-1] / ends["records"][1]
        )
        print(f"{name[0]:<30} growth exponent from 100,000 on: {slope:.2f}")
    peer = peer_seconds("microagg1d", PEER)
    print(
        f"microagg1d, 1,000,000 values, k = 5: {peer[0]:.3f} s" if peer else "microagg1d: not here"
    )
    if "--draw" in sys.argv:
        draw(found, Path(__file__).resolve().parent.parent / "docs" / "images" / "growth.svg")


if __name__ == "__main__":
    main()
