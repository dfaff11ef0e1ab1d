"""What people try by hand, and what the app tried before it searched for a goal."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from microveil.app.advising.situation import Situation
from microveil.app.coarsening import climb, ladder_of
from microveil.methods import (
    Datafly,
    Incognito,
    LocalRecoding,
    LocalSuppression,
    Method,
    Microaggregate,
    Mondrian,
    OptimalGeneralization,
    SuppressRecords,
)
from microveil.studies.examples.people import households
from microveil.studies.sources import adult, census
from microveil.tables import Roles
from microveil.web.project.examples import patients

Steps = tuple[Method, ...]
MULTIPLES = (1, 2, 5)
"""Of k: a sweep goes on to stronger settings."""


def sweep(here: Situation) -> Iterator[Steps]:
    """The methods of the study `frontier` that can reach k, at several k."""
    keys = here.keys
    for k in (here.k * times for times in MULTIPLES):
        for mode in ("strict", "relaxed"):
            yield (Mondrian.parse({"k": k, "mode": mode}),)
        yield (LocalSuppression(k=k),)
        for share in (0.0, 0.02, 0.05):
            yield (LocalRecoding(k=k, suppression_share=share),)
            yield (OptimalGeneralization(k=k, suppression_share=share, max_checks=2_000),)
        if here.numbers_in(keys) == keys:
            yield (Mondrian.parse({"k": k, "publish": "centroids"}),)
            yield (Microaggregate(columns=keys, k=k),)
            yield (Microaggregate(columns=keys, k=k, algorithm="refined"),)
        else:
            yield (Datafly(k=k),)
            yield (Incognito(k=k),)


def former_search(here: Situation) -> Iterator[Steps]:
    """What the app tried when it had a list of candidates instead of a search."""
    k = here.k
    yield from ((Mondrian.parse({"k": k, "mode": mode}),) for mode in ("strict", "relaxed"))
    ladders = [ladder_of(here.frame[name], here.looked[name], k) for name in here.keys]
    for share in (0.02, 0.05, 0.2):
        rungs = climb(ladders, k, share)
        found = [one.usable[rung] for one, rung in zip(ladders, rungs, strict=True)]
        coarse = [step for step in found if step is not None]
        yield (*coarse, LocalSuppression(k=k))
        yield (*coarse, SuppressRecords(k=k))
    yield (LocalSuppression(k=k),)
    for share in (0.0, 0.05):
        yield (LocalRecoding(k=k, suppression_share=share),)
        yield (OptimalGeneralization(k=k, suppression_share=share, max_checks=2_000),)


def tables() -> Iterator[tuple[str, pl.DataFrame, Roles]]:
    """Adult, Census, a household survey and a patient file."""
    people = adult().sample(6_000, seed=1)
    roles = Roles(quasi_identifiers=people.columns[:-1], sensitive=people.columns[-1:])
    yield "adult", people, roles
    amounts = census().select(pl.nth(range(5)))
    yield "census", amounts, Roles(quasi_identifiers=amounts.columns)
    survey = households(3_000).drop("weight", "household")
    keys = [name for name in survey.columns if name != "income"]
    yield "survey", survey, Roles(quasi_identifiers=keys, sensitive=["income"])
    ill = Roles(quasi_identifiers=("sex", "age", "postcode"), sensitive=("disease", "cost"))
    yield "patients", patients(1_000).drop("name"), ill
