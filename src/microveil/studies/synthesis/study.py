"""Every generator in one table, and on the map of risk and loss beside other methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from microveil.labels.decoding import decode
from microveil.methods import Synthesize
from microveil.progress import Progress
from microveil.risk import Inference, Linkability, Membership, SinglingOut
from microveil.studies.base import About, Study
from microveil.studies.cells import Cell, Experiment
from microveil.studies.frontier.study import pareto
from microveil.studies.sources import adult_hierarchies
from microveil.studies.synthesis.candidates import (
    Variant,
    beside_categories,
    beside_numbers,
    generators,
)
from microveil.studies.synthesis.data import Source, adult_source, census_source
from microveil.synthesis.evaluation import evaluate
from microveil.synthesis.evaluation.marginal_errors import marginal_errors
from microveil.tables import Table

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

N_ATTACKS, QUICK_ATTACKS = 1_000, 100


class Point(NamedTuple):
    """One release on the map."""

    method: str
    parameter: str
    risk: float
    attack: str
    loss: float


class Synthesis(Study):
    """Which generator to pick: all of them by the same measures."""

    name: ClassVar[str] = "synthesis"
    title: ClassVar[str] = "Synthetic records: every generator, beside other methods"
    document: ClassVar[str] = (
        "No source document has it. Census (CASC): 1,080 records of 13 amounts. Adult: a sample of "
        "8,000 records of nine columns. A third as many records again are held out: attacks count "
        "by what they achieve beyond them, and models are tried on them."
    )

    def about(self, experiments: tuple[Experiment, ...]) -> About:
        """What the maps show."""
        del experiments
        return About(
            headline=(
                "At the same risk synthetic records lose far less than what hides or changes "
                "cells: on Adult a copula at a risk of .02 moves pairs of columns by .07, local "
                "suppression (k = 50) at .02 by .51. The best trees (`cart`) lose least and risk "
                "most; differential privacy (`aim`, ε = 1) ends what attacks gain, at .08."
            ),
            captions={
                "census": "Census: amounts; risk of the best attack against the loss of relations",
                "adult": "Adult: categories; risk of the best attack against the loss of relations",
            },
            system=(
                "Risk counts what an attack achieves beyond its success against people whose "
                "records were held out: what a release teaches about everybody is not held against "
                "it. `bootstrap` draws real records and `permute` breaks every relation: they mark "
                "the ends of both axes."
            ),
        )

    def experiments(self, *, quick: bool, progress: Progress) -> tuple[Experiment, ...]:
        """A table of the generators and a map of all methods, for both data sets."""
        found: list[Experiment] = []
        sources = (census_source(quick=quick), adult_source(quick=quick))
        for place, source in enumerate(sources):
            part = partial(_within, progress, place / len(sources), len(sources))
            found += _of_source(source, quick=quick, progress=part)
        return tuple(found)

    def figures(
        self, experiments: tuple[Experiment, ...], *, quick: bool
    ) -> Mapping[str, Callable[[], Chart]]:
        """A map of each data set."""
        del quick
        from microveil.studies.synthesis.figures import synthesis_map

        return {
            one.title.split(":")[0].lower(): partial(synthesis_map, one)
            for one in experiments
            if one.title.endswith("map")
        }


def _within(progress: Progress, start: float, n_parts: int, done: float, what: str) -> None:
    progress(start + done / n_parts, 1, what)


def _of_source(
    source: Source, *, quick: bool, progress: Callable[[float, str], None]
) -> list[Experiment]:
    made = list(generators(source.domain, numbers=source.numbers, quick=quick))
    columns = source.table.roles.quasi_identifiers
    if source.numbers:
        others = list(beside_numbers(columns, quick=quick))
    else:
        hierarchies = {name: one for name, one in adult_hierarchies().items() if name in columns}
        others = list(beside_categories(columns, hierarchies, quick=quick))
    cells: list[Cell] = []
    points: list[Point] = []
    jobs = [*made, *others]
    for i, variant in enumerate(jobs):
        progress(i / len(jobs), f"{source.title}: {variant[0]} {variant[1]}")
        released = variant[2].apply(source.table, np.random.default_rng([2026, i])).table
        points.append(_point(source, variant, released, quick=quick))
        if isinstance(variant[2], Synthesize):
            cells += _evaluate(source, variant, released)
    return [
        Experiment.of(f"{source.title}: generators", "New here", cells, note=_NOTE),
        _map(source, points),
    ]


_NOTE = (
    "Marginals: mean sum of absolute differences of shares. Generators with differential privacy "
    "have noise that repeats here, which a release must not have."
)


def _evaluate(source: Source, variant: Variant, released: Table) -> list[Cell]:
    found = evaluate(source.table, released, holdout=source.holdout, target=source.target)
    where: dict[str, Any] = {"generator": variant[0], "parameter": variant[1]}
    return [Cell(where, one.measure.replace("_", " "), one.value) for one in found.rows]


def _point(source: Source, variant: Variant, released: Table, *, quick: bool) -> Point:
    """The most successful attack in excess of its success on held-out people, and the loss."""
    n = QUICK_ATTACKS if quick else N_ATTACKS
    risks = {
        attack.kind(): attack.measure(source.table, released, control=source.holdout).value
        for attack in (
            SinglingOut(n_attacks=n),
            Linkability(n_attacks=n),
            Inference(n_attacks=n),
            Membership(n_attacks=n),
        )
    }
    worst = max(risks, key=lambda name: risks[name])
    loss = pairs_moved(source.table, released)
    return Point(variant[0], variant[1], risks[worst], worst.replace("_", " "), loss)


def pairs_moved(original: Table, released: Table) -> float:
    """Mean total variation distance over all pairs of columns; labels are taken literally."""
    columns = tuple(name for name in original.columns if name in released.columns)
    after = decode(original, released, columns, None)
    errors = {
        order: error for order, error, _ in marginal_errors(original.frame.select(columns), after)
    }
    return errors[2] / 2


def _map(source: Source, points: list[Point]) -> Experiment:
    front = pareto([(one.risk, one.loss) for one in points])
    cells = []
    for one, best in zip(points, front, strict=True):
        where = {"method": one.method, "parameter": one.parameter, "attack": one.attack}
        cells += [
            Cell(where, "risk", one.risk),
            Cell(where, "loss", one.loss),
            Cell(where, "on the front", float(best)),
        ]
    note = (
        "Risk: the most successful of singling out, linkability, inference and membership, beyond "
        "what it achieves on people who were held out. Loss: the total variation distance of two "
        "columns' joint distribution, mean over all pairs; a value is drawn from what a label "
        "covers."
    )
    return Experiment.of(f"{source.title}: map", "New here", cells, note=note)
