"""MDAV on mixed records: how the scan grows, and what a distance costs.

Every round scans the records left, so doubling the records takes four times as long. Found at
load about 2, k = 5, one number, one ordinal and one nominal column: see what it prints.
"""

import numpy as np
from timing import seconds

from microveil.kernels.microaggregation.gower_mdav import (
    NOMINAL,
    NUMERIC,
    ORDINAL,
    Mixed,
    gower_mdav,
)


def records(n: int) -> Mixed:
    rng = np.random.default_rng(0)
    values = np.column_stack([rng.random(n), rng.integers(0, 5, n), rng.integers(0, 8, n)])
    kinds = np.array([NUMERIC, ORDINAL, NOMINAL], dtype=np.int32)
    return Mixed(values.astype(np.float64), kinds, np.array([0, 5, 8], dtype=np.int32))


def main() -> None:
    gower_mdav(records(100), 5)
    for n in (2_000, 4_000, 8_000, 16_000):
        print(f"gower_mdav n = {n:>6}: {seconds(lambda n=n: gower_mdav(records(n), 5)):6.2f} s")


if __name__ == "__main__":
    main()
