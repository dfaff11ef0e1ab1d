"""Random recipes: roles of every kind, steps in any order, requirements of every model."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import polars as pl

import microveil as mv
from tests.verifier.tables import KINDS, NUMBERS, VALUES

TREE = {"one": ["x", "y", "x ", "Ünï"], "two": ["=1+1", "NA", "'=1+1"]}
ROW_WISE = 0.25
"""Share of the recipes that look at one row at a time, so that they run in parts, too."""


def random_recipe(
    rng: random.Random, frame: pl.DataFrame, keys: Sequence[str], population: Path
) -> mv.Recipe:
    """Roles, steps and requirements that may or may not fit the table and each other."""
    k = rng.choice([2, 2, 3])
    roles = random_roles(rng, keys)
    steps = [*_about_ids(rng, roles), *random_steps(rng, frame, keys, k)]
    return mv.Recipe(
        roles=roles,
        steps=steps,
        require=random_requirements(rng, frame, k, roles, population),
        missing=rng.choice([None, "category", "wildcard"]),
        undeclared=rng.choice(["keep", "keep", "drop"]),
        keep=[roles.household] if roles.household and rng.random() < 0.5 else [],
    )


def random_roles(rng: random.Random, keys: Sequence[str]) -> mv.Roles:
    """Keys and a secret always; the others now and then, some columns in two roles."""
    scenarios = {}
    if rng.random() < 0.3:
        others = [*keys, "area", "home"]
        scenarios["neighbour"] = rng.sample(others, rng.randint(1, 2))
    if rng.random() < 0.1:
        scenarios["[colleague]"] = [rng.choice(keys), "secret"]
    strata = rng.choice([(), (), ("area",), (rng.choice(keys),)])
    return mv.Roles(
        quasi_identifiers=keys,
        sensitive=["secret"],
        identifiers=["person"] if rng.random() < 0.3 else [],
        entity="person" if rng.random() < 0.35 else None,
        household="home" if rng.random() < 0.25 else None,
        weight="w" if rng.random() < 0.35 else None,
        strata=strata,
        scenarios=scenarios,
    )


def _about_ids(rng: random.Random, roles: mv.Roles) -> list[mv.Method]:
    """Something is done about who it is: dropped, disguised, masked, or nothing."""
    steps: list[Callable[[], mv.Method]] = [
        lambda: mv.Drop(columns=["person"]),
        lambda: mv.Pseudonymize(columns=["person"]),
        lambda: mv.Mask(columns=["person"], keep_start=1),
    ]
    named = [rng.choice(steps)()] if roles.entity or roles.identifiers else []
    if roles.household and rng.random() < 0.5:
        named.append(mv.Drop(columns=["home"]))
    return [] if rng.random() < 0.1 else named


def random_steps(
    rng: random.Random, frame: pl.DataFrame, keys: Sequence[str], k: int
) -> list[mv.Method]:
    """Some steps in a random order, the last of which usually reaches the goal."""
    key = rng.choice(keys)
    numbers = [name for name in keys if frame[name].dtype.is_numeric()] or ["w"]
    alone: list[Callable[[], mv.Method]] = [
        lambda: mv.Generalize(column=key, hierarchy={"hierarchy": "types"}, level=1),
        lambda: mv.Round(columns=[rng.choice(numbers)], base=2),
        lambda: mv.TopBottomCode(columns=[rng.choice(numbers)], top=1),
        lambda: mv.Drop(columns=[key]),
        lambda: mv.Mask(columns=[key], keep_start=1),
    ]
    if rng.random() < ROW_WISE:
        return [rng.choice(alone)() for _ in range(rng.randint(0, 2))]
    whole: list[Callable[[], mv.Method]] = [
        lambda: mv.GroupRare(columns=[key], min_count=2),
        lambda: mv.Permute(columns=[key]),
        lambda: mv.Sample(share=0.7),
        lambda: mv.AdditiveNoise(columns=[rng.choice(numbers)], sd_share=0.5),
        lambda: mv.RankSwap(columns=[rng.choice(numbers)], range_share=0.3),
        lambda: mv.Microaggregate(columns=[rng.choice(numbers)], k=2),
        lambda: mv.Pram(columns=[key], retention=0.7),
        lambda: mv.RandomizedResponse(columns=[key], epsilon=1),
        lambda: mv.SwapRecords(hierarchy=["area"], similar=[["secret"]], swap_share=0.5),
        lambda: mv.Aggregate(columns=[rng.choice(numbers)], by=["area"]),
        lambda: mv.HalfSwap(columns=[rng.choice(numbers)]),
    ]
    goals: list[Callable[[], mv.Method]] = [
        lambda: mv.SuppressRecords(k=k),
        lambda: mv.LocalSuppression(k=k),
        lambda: mv.Mondrian(k=k),
        lambda: mv.Mondrian(k=k, publish="centroids"),
        lambda: mv.LocalRecoding(k=k, steps=20),
        lambda: mv.OptimalGeneralization(k=k, suppression_share=0.5),
        lambda: mv.Decompose(groups={"main": [*keys, "w"], "rest": ["secret", "area"]}),
    ]
    steps = [rng.choice([*alone, *whole])() for _ in range(rng.randint(0, 2))]
    steps += [rng.choice(goals)()] if rng.random() < 0.75 else []
    if rng.random() < 0.2:
        rng.shuffle(steps)
    return steps


def random_requirements(
    rng: random.Random, frame: pl.DataFrame, k: int, roles: mv.Roles, population: Path
) -> list[mv.PrivacyModel]:
    """k-anonymity mostly, and one or two other promises."""
    column, text = "secret", frame["secret"].dtype == pl.String
    order = [str(one) for one in VALUES["marked"]] if text else []
    further: list[Callable[[], mv.PrivacyModel]] = [
        lambda: mv.LDiversity(l=2, column=column, missing_counts=rng.random() < 0.3),
        lambda: mv.LDiversity(l=1.5, column=column, kind="entropy"),
        lambda: mv.LDiversity(l=2, column=column, kind="recursive", c=rng.choice([0.8, 3])),
        lambda: mv.TCloseness(t=rng.choice([0.3, 0.6]), column=column),
        lambda: mv.TCloseness(t=0.4, column=column, distance="ordered", order=order),
        lambda: mv.TCloseness(
            t=0.4, column=column, distance="hierarchical", hierarchy={"tree": TREE}
        ),
        lambda: mv.AlphaKAnonymity(alpha=0.8, k=k, column=column),
        lambda: mv.AlphaKAnonymity(alpha=0.4, k=2, column=column, value=["x", "1", "true", "low"]),
        lambda: mv.BetaLikeness(beta=rng.choice([0.5, 2]), column=column),
        lambda: mv.BetaLikeness(beta=2, column=column, kind="enhanced"),
        lambda: mv.DeltaDisclosure(delta=rng.choice([1.5, 4]), column=column),
        lambda: mv.AverageRisk(threshold=rng.choice([0.2, 0.5])),
        lambda: mv.AverageRisk(threshold=1, record_risk=0.3, record_share=0.2),
        lambda: mv.KMap(k=k, population=str(population)),
        lambda: mv.KMap(k=5) if roles.weight else mv.KMap(k=5, population_size=10**6),
        lambda: mv.KMap(k=8, sampling_share=0.4, estimator=rng.choice(ESTIMATORS)),
        lambda: mv.DeltaPresence(maximum=0.7, population=str(population)),
        lambda: mv.DeltaPresence(minimum=0.05, maximum=0.9, population=str(population)),
        lambda: mv.DeltaPresence(maximum=0.5),
        lambda: mv.PopulationUniqueness(threshold=0.1, sampling_share=0.3, estimator="zayatz"),
        lambda: mv.PopulationUniqueness(threshold=0.3, sampling_share=0.05, estimator="pitman"),
        lambda: mv.PopulationUniqueness(threshold=0.2, sampling_share=0.02),
        lambda: mv.KmAnonymity(k=2, m=2, column="items", separator="|"),
        lambda: mv.KmAnonymity(k=2, m=1, column="items", separator="|", within_classes=True),
    ]
    found: list[mv.PrivacyModel] = [mv.KAnonymity(k=k)] if rng.random() < 0.7 else []
    found += [rng.choice(further)() for _ in range(rng.choice([0, 1, 1, 2]))]
    return found or [mv.KAnonymity(k=k)]


ESTIMATORS: list[Any] = ["poisson", "zero_truncated_poisson"]


def random_population(rng: random.Random, frame: pl.DataFrame) -> pl.DataFrame:
    """The people of the table, and others like them."""
    if not frame.height:
        return frame
    more = [rng.randrange(frame.height) for _ in range(rng.choice([0, frame.height, 30]))]
    return pl.concat([frame, frame[more]])


__all__ = ["KINDS", "NUMBERS", "TREE", "random_population", "random_recipe"]
