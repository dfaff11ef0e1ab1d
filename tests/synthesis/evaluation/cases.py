"""People, others of the same kind, and some that nobody trained on."""

from __future__ import annotations

import numpy as np
import polars as pl


def people(n: int, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, n)
    ill = np.where(rng.random(n) < (age / 100) ** 2, "yes", "no")
    pay = np.round(rng.lognormal(7, 0.4, n) * (1 + age / 100), 2)
    return pl.DataFrame({"age": age, "ill": ill, "pay": pay, "sex": rng.choice(["f", "m"], n)})


ORIGINAL, HOLDOUT, OTHERS = people(400), people(200, seed=1), people(400, seed=2)
