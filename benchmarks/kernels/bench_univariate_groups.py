"""One column: fixed groups, univariate MDAV and optimal groups, sorting included.

Goals, k = 5: MDAV of 148,651 values in 30 ms; optimal groups of 10⁶ values in 0.25 s; 10⁷ work.

Found (lognormal values, load about 3): MDAV 21 ms; optimal 0.16 s; 10⁷ values in 3.5 and 2.3 s
with a peak of 1.5 and 3.5 × the input. Most of it is the stable argsort (fixed groups, which only
sort: 16 ms, 0.14 s, 2.1 s). Optimal groups of 10⁶ values: k = 20 0.19 s, 100 0.31 s, 1000 0.39 s,
10,000 0.46 s. Trying all cuts was faster than blocks up to k = 64 (0.148 against 0.165 s).
"""

import numpy as np
from timing import seconds, seconds_and_peak

from microveil.kernels.microaggregation.univariate_groups import (
    fixed_groups,
    mdav_groups,
    optimal_groups,
)

GROUPINGS = (optimal_groups, mdav_groups, fixed_groups)


def main() -> None:
    for group in GROUPINGS:
        group(np.arange(300.0), 5)
        group(np.arange(300.0), 100)
    for group in GROUPINGS:
        for n in (10_000_000, 1_000_000, 148_651):
            values = np.random.default_rng(0).lognormal(size=n)
            taken, peak = seconds_and_peak(lambda group=group, values=values: group(values, 5))
            if n < 10_000_000:
                taken = min(
                    seconds(lambda group=group, values=values: group(values, 5)) for _ in range(5)
                )
            print(
                f"{group.__name__:<14} n = {n:>8}, k = 5: {taken * 1e3:8.1f} ms",
                f"peak {peak / values.nbytes:.1f} × input" if n == 10_000_000 else "",
            )
    values = np.random.default_rng(0).lognormal(size=1_000_000)
    for k in (2, 20, 64, 100, 1000, 10_000):
        taken = seconds(lambda k=k: optimal_groups(values, k))
        print(f"optimal_groups n =  1000000, k = {k}: {taken * 1e3:8.1f} ms")


if __name__ == "__main__":
    main()
