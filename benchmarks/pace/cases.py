"""The work whose CPU is watched: each case makes its data and returns a call to time.

Only names of the top level are used, so that an older tree can run the same cases.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import numpy as np
import polars as pl

import microveil as mv

Call = Callable[[], object]
KEYS = ["age", "sex", "race", "education", "marital-status"]
LEVELS = (2, 5, 6, 9, 20)
YARDSTICK = "yardstick"
WIDE = (2, 3, 3, 4, 5, 6, 8, 9)


def skewed(n: int, levels: tuple[int, ...] = LEVELS) -> pl.DataFrame:
    """Keys with Zipf-like frequencies."""
    rng = np.random.default_rng(0)
    columns = {}
    for number, size in enumerate(levels):
        shares = 1 / np.arange(1, size + 1)
        columns[f"key{number}"] = rng.choice(size, n, p=shares / shares.sum())
    return pl.DataFrame(columns)


def adult() -> pl.DataFrame:
    """Adult, as the studies carry it."""
    return pl.read_parquet(str(files("microveil.studies") / "data" / "adult.parquet"))


def grown(n: int) -> pl.DataFrame:
    """Adult drawn up to n rows, with an income and hours: 11 columns."""
    rng = np.random.default_rng(1)
    frame = adult()
    return frame[rng.integers(0, frame.height, n)].with_columns(
        pl.Series("income", rng.lognormal(10, 0.7, n)), pl.Series("hours", rng.integers(1, 99, n))
    )


def permuted(frame: pl.DataFrame, share: float, seed: int) -> pl.DataFrame:
    """A share of each column's cells change places."""
    rng = np.random.default_rng(seed)
    columns = []
    for column in frame:
        places = np.flatnonzero(rng.random(len(column)) < share)
        order = np.arange(len(column))
        order[places] = rng.permutation(places)
        columns.append(column[order])
    return pl.DataFrame(columns)


def numbers(n: int, width: int, seed: int = 5) -> pl.DataFrame:
    """Correlated numbers with long tails."""
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(n, 1))
    values = np.exp(0.5 * common + 0.5 * rng.normal(size=(n, width)))
    return pl.DataFrame({f"x{i}": values[:, i] for i in range(width)})


def noisy(frame: pl.DataFrame, share: float) -> pl.DataFrame:
    """The numbers with normal noise of a share of their standard deviation."""
    rng = np.random.default_rng(6)
    return frame.with_columns(
        column + share * float(column.std()) * pl.Series(rng.normal(size=len(column)))  # type: ignore[arg-type]
        for column in frame
    )


def yardstick() -> Call:
    """Work of NumPy and Polars alone, the unit of all ratios."""
    values = np.random.default_rng(0).random(400_000)
    frame = skewed(400_000)

    def work() -> object:
        np.sort(values)
        np.unique((values * 1e6).astype(np.int64), return_inverse=True)
        return frame.group_by(frame.columns).len()

    return work


def steps() -> dict[str, Callable[[], Call]]:
    """Methods."""

    def suppression(frame: pl.DataFrame, missing: str) -> Call:
        step = mv.LocalSuppression(k=3, columns=frame.columns, missing=missing)
        return lambda: step.protect(frame, seed=1)

    def protect(step: Any, frame: pl.DataFrame) -> Call:
        return lambda: step.protect(frame, seed=1)

    def mondrian() -> Call:
        frame = grown(100_000)
        roles = mv.Roles(quasi_identifiers=["age", "income", "hours", "sex", "education"])
        step = mv.Mondrian(k=10)
        return lambda: step.protect(frame, roles, seed=1)

    def assess() -> Call:
        frame = skewed(1_000_000)
        roles = mv.Roles(quasi_identifiers=frame.columns[:4], sensitive=frame.columns[4:])
        return lambda: mv.assess(frame, roles)

    return {
        "local_suppression, wildcard": lambda: suppression(skewed(200_000), "wildcard"),
        "local_suppression, wildcard, wide": lambda: suppression(skewed(50_000, WIDE), "wildcard"),
        "local_suppression, category": lambda: suppression(skewed(200_000), "category"),
        "assess, a million": assess,
        "mondrian": mondrian,
        "pram": lambda: protect(
            mv.Pram(columns=["key3", "key4"], retention=0.8), skewed(1_000_000)
        ),
        "mdav": lambda: protect(
            mv.Microaggregate(columns=["x0", "x1", "x2"], k=5), numbers(20_000, 3)
        ),
        "rank_swap": lambda: protect(
            mv.RankSwap(columns=["x0", "x1"], range_share=0.1), numbers(500_000, 2)
        ),
    }


def attacks(n: int) -> dict[str, Callable[[], Call]]:
    """Attacks on a copy with a fifth of the cells permuted."""

    def attack(measure: Any) -> Callable[[], Call]:
        def make() -> Call:
            frame = grown(n)
            released = permuted(frame, 0.2, 1)
            control = permuted(frame, 1.0, 2).head(n // 2)
            roles = mv.Roles(quasi_identifiers=KEYS, sensitive=["occupation", "salary-class"])
            return lambda: measure.measure(frame, released, roles=roles, control=control)

        return make

    return {
        "singling_out, 200,000": attack(mv.SinglingOut()),
        "inference, 200,000": attack(mv.Inference()),
    }


def measures() -> dict[str, Callable[[], Call]]:
    """Every measure that compares records, on Adult; and on numbers with noise."""
    roles = mv.Roles(quasi_identifiers=KEYS, sensitive=["occupation", "salary-class"])

    def pair(measure: Any, n: int | None = None) -> Callable[[], Call]:
        def make() -> Call:
            frame = adult().head(n or 30_162)
            released = permuted(frame, 0.2, 1)
            return lambda: measure.measure(frame, released, roles=roles)

        return make

    def held(measure: Any) -> Callable[[], Call]:
        def make() -> Call:
            frame = adult().sample(fraction=1, shuffle=True, seed=1)
            half = frame.height // 2
            original, control = frame[:half], frame[half:]
            released = permuted(original, 0.2, 1)
            return lambda: measure.measure(original, released, roles=roles, control=control)

        return make

    def of_numbers(measure: Any, n: int = 5_000, width: int = 4) -> Callable[[], Call]:
        def make() -> Call:
            frame = numbers(n, width)
            released = noisy(frame, 0.2)
            keys = mv.Roles(quasi_identifiers=frame.columns)
            return lambda: measure.measure(frame, released, roles=keys)

        return make

    names = [f"x{i}" for i in range(4)]
    return {
        "singling_out": held(mv.SinglingOut()),
        "linkability": held(mv.Linkability()),
        "inference": held(mv.Inference()),
        "membership": held(mv.Membership()),
        "nearest_neighbour_ratio": held(mv.NearestNeighbourRatio()),
        "replicated_uniques": pair(mv.ReplicatedUniques()),
        "record_linkage": pair(mv.RecordLinkage(columns=KEYS)),
        "record_linkage, numbers": of_numbers(mv.RecordLinkage(columns=names)),
        "record_linkage, probabilistic": pair(
            mv.RecordLinkage(columns=KEYS, method="probabilistic"), 5_000
        ),
        "identity_disclosure": of_numbers(mv.IdentityDisclosure(columns=names)),
        "noise_filtering": of_numbers(mv.NoiseFiltering(columns=names)),
        "intersection_attack": of_numbers(mv.IntersectionAttack(columns=names)),
        "interval_disclosure": of_numbers(mv.IntervalDisclosure(columns=names)),
        "value_disclosure": of_numbers(mv.ValueDisclosure(columns=names)),
        "distribution_distance": pair(mv.DistributionDistance()),
        "propensity": pair(mv.Propensity()),
        "prediction": pair(mv.Prediction(target="salary-class")),
        "clustering": pair(mv.Clustering()),
        "il1s": of_numbers(mv.IL1s(columns=names), 100_000),
        "information_loss": of_numbers(mv.InformationLoss(columns=names), 100_000),
        "generalization_loss": pair(mv.GeneralizationLoss()),
        "rank_correlation": of_numbers(mv.RankCorrelation(columns=names), 100_000),
    }


def cases() -> dict[str, Callable[[], Call]]:
    """All cases by name."""
    return {YARDSTICK: yardstick} | steps() | attacks(200_000) | measures()
