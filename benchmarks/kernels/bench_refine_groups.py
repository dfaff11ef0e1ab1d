"""Loss 100·SSE/SST and seconds of MDAV, descent and annealing on the three CASC reference files.

Goals at k = 3/5/10 within 10 s: Tarragona 14.77/20.67/30.68, Census 5.24/8.17/12.32,
EIA 0.397/0.89/2.14.

Found, 30 million steps, word 7 (load 3 to 5), k = 3/4/5/10:
Tarragona MDAV 16.933/19.546/22.462/33.193, descent 14.874/17.550/20.920/30.823 (up to 0.05 s),
annealed 14.563/17.132/20.205/30.164 (5.4 to 11.3 s);
Census MDAV 5.692/7.495/9.088/14.156, descent 5.239/6.725/8.184/12.310 (up to 0.05 s),
annealed 4.758/6.120/7.332/11.506 (5.1 to 8.9 s);
EIA MDAV 0.483/0.671/1.667/3.840, descent 0.370/0.511/0.943/2.035 (up to 0.22 s),
annealed 0.352/0.485/0.732/1.941 (5.6 to 9.3 s).
100,000 normal records × 5, k = 5: MDAV 2.305, descent 2.080 (13 s), annealed 1.921 (58 s).
Four million steps (the tests) reach all goals too. A hot start (30 × the mean loss of a record) is
what finds the arrangement of EIA's outliers: 0.73 at k = 5 where starts at 0.1 to 10 ended between
0.86 and 0.93.
"""

import sys
from pathlib import Path

import numpy as np
from timing import seconds

from microveil.arrays import Floats, Ints
from microveil.kernels.microaggregation.anneal_groups import anneal_groups
from microveil.kernels.microaggregation.group_means import group_sse, total_sse
from microveil.kernels.microaggregation.mdav import mdav
from microveil.kernels.microaggregation.refine_groups import refine_groups

FOLDER = Path(__file__).parents[2] / "tests" / "data" / "casc"
STEPS = 30_000_000


def loss(points: Floats, labels: Ints) -> float:
    return 100 * float(group_sse(points, labels).sum()) / total_sse(points)


def reference_files(words: list[int]) -> None:
    for name in ("Tarragona", "CASCrefmicrodata", "EIA"):
        raw = np.loadtxt(FOLDER / f"{name}.csv", delimiter=",", skiprows=1)
        points = (raw - raw.mean(axis=0)) / raw.std(axis=0, ddof=1)
        for k in (3, 4, 5, 10):
            start = mdav(points, k)
            found: list[Ints] = []
            taken = seconds(lambda: found.append(refine_groups(points, start, k)))  # noqa: B023
            line = f"{name:<16} k = {k:<2} MDAV {loss(points, start):8.4f} "
            line += f"descent {loss(points, found[0]):8.4f} ({taken:.2f} s) annealed"
            for word in words:
                seed = np.array([word], dtype=np.uint64)
                call = lambda: found.append(anneal_groups(points, start, k, seed, STEPS))  # noqa: B023, E731
                taken = seconds(call)
                line += f" {loss(points, found[-1]):8.4f} ({taken:.1f} s)"
            print(line, flush=True)


def many_records(n: int = 100_000) -> None:
    points = np.random.default_rng(1).normal(size=(n, 5))
    start = mdav(points, 5)
    found: list[Ints] = []
    taken = seconds(lambda: found.append(refine_groups(points, start, 5)))
    print(f"{n} × 5, k = 5: MDAV {loss(points, start):.4f}", end=" ")
    print(f"descent {loss(points, found[0]):.4f} ({taken:.1f} s)", end=" ")
    word = np.array([1], dtype=np.uint64)
    taken = seconds(lambda: found.append(anneal_groups(points, start, 5, word, STEPS)))
    print(f"annealed {loss(points, found[1]):.4f} ({taken:.1f} s)")


if __name__ == "__main__":
    tiny = np.random.default_rng(0).normal(size=(40, 2))
    anneal_groups(tiny, mdav(tiny, 3), 3, np.array([1], dtype=np.uint64), 100)  # compile
    refine_groups(tiny, mdav(tiny, 3), 3)
    reference_files([int(word) for word in sys.argv[1:]] or [7])
    many_records()
