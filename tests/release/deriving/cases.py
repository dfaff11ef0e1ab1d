"""Households whose members share much, with some dirt, as surveys have them."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

import microveil as mv

KEYS = ("size", "origin", "school", "age", "sex")


def survey(n_homes: int = 400, dirt: float = 0.004) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    size = rng.integers(1, 7, n_homes)
    n = int(size.sum())
    origin = np.repeat(rng.choice(list("ABCDE"), n_homes, p=[0.6, 0.2, 0.1, 0.06, 0.04]), size)
    origin = np.where(rng.random(n) < dirt, rng.choice(list("ABCDE"), n), origin)
    years = rng.integers(0, 18, n)
    return pl.DataFrame(
        {
            "home": np.repeat(np.arange(n_homes), size),
            "size": np.repeat(size, size),
            "origin": origin,
            "school": np.select([years < 3, years < 8], ["none", "first"], "more"),
            "years": years,
            "age": rng.integers(0, 5, n) * 20,
            "sex": rng.choice(["f", "m"], n),
            "pay": rng.lognormal(9, 1, n).round(2),
        }
    )


def release_of(
    *steps: mv.Method,
    without: tuple[str, ...] = (),
    frame: pl.DataFrame | None = None,
    **more: Any,
) -> mv.Release:
    """The survey, protected by steps, without some of its columns; the home is kept."""
    table = (survey() if frame is None else frame).drop(without)
    roles = mv.Roles(
        quasi_identifiers=[name for name in KEYS if name in table.columns],
        sensitive=["pay"],
        insensitive=[name for name in ("years",) if name in table.columns],
        household="home" if "home" in table.columns else None,
    )
    plain = {"require": [mv.KAnonymity(k=3)], "keep": [*({"home"} & {*table.columns})], **more}
    return mv.run(mv.Recipe(roles=roles, steps=steps, **plain), table, seed=1)
