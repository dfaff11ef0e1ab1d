"""MDAV, k = 5, standard normal columns: growth with records, and where columns defeat the tree.

Goals: 100,000 × 5 in 1.5 s, 1,000,000 × 5 in 25 s, exponent between them below 1.35.

Found, two cores shared with other work: 0.42 and 7.3 s, exponent 1.24 at load 2; 0.48 and 9.9 s,
1.31, then 0.74 and 13.1 s, 1.25 (1.33 in CPU time), at load 4.8. Peak memory 3.6 × the input.
The mirror bound of `farthest_record` took a million records from 15.5 to 7.9 s.
20,000 × d by tree alone, by scan alone: d = 5 0.07, 0.31 s; d = 10 0.40, 0.39; d = 15 1.22, 0.48;
d = 50 5.2, 1.1. Leaving the tree once queries open a tenth of the leaves was the best or nearly
the best of 0.1, 0.2, 0.33 and 0.5 for each d, and on skewed and factor-like columns.
100,000 equal records took 88 s before nodes knew the span of their indices, 0.1 to 0.2 s since.
"""

import math

import numpy as np
from timing import seconds, seconds_and_peak

from microveil.kernels.microaggregation.mdav import mdav


def growth() -> None:
    following = math.nan
    for n in (1_000_000, 100_000, 10_000):
        points = np.random.default_rng(1).normal(size=(n, 5))
        taken, peak = seconds_and_peak(lambda points=points: mdav(points, 5))
        exponent = math.log10(following / taken)
        memory = f"peak {peak / points.nbytes:.1f} × input" if math.isnan(following) else ""
        print(
            f"{n:>9} × 5: {taken:8.3f} s, exponent from here to ten times: {exponent:.2f} {memory}"
        )
        following = taken


def dimensions(n: int = 20_000) -> None:
    for d in (2, 5, 8, 10, 12, 15, 20, 50):
        points = np.random.default_rng(1).normal(size=(n, d))
        print(f"{n:>9} × {d:<2}: {seconds(lambda points=points: mdav(points, 5)):8.3f} s")


if __name__ == "__main__":
    mdav(np.random.default_rng(0).normal(size=(100, 2)), 5)  # compile
    growth()
    dimensions()
