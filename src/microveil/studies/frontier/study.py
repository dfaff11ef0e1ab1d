"""Every method on one map of risk and utility, for numbers (Census) and categories (Adult)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from microveil.errors import InputError
from microveil.progress import Progress
from microveil.studies.base import About, Study
from microveil.studies.cells import Cell, Experiment
from microveil.studies.frontier.scoring import TARGET, Standing, standing
from microveil.studies.frontier.variants import (
    ABSENT,
    Variant,
    missing_methods,
    on_adult,
    on_census,
)
from microveil.studies.sources import adult, adult_hierarchies, census
from microveil.tables import Roles, Table

if TYPE_CHECKING:
    from microveil.hierarchies import File
    from microveil.plots.drawing import Chart

QUICK_RECORDS = 1_000
PREDICTED = (
    "Loss: how much worse a logistic model of the income class, learnt from the release, predicts "
    "held-out people than one learnt from the original (fall of the area under the curve); 0 if as "
    "well."
)


@dataclass(frozen=True)
class Point:
    """One release on the map."""

    family: str
    parameter: str
    at: Standing


class Frontier(Study):
    """Which method to pick: all of them on one map of risk and utility."""

    name: ClassVar[str] = "frontier"
    title: ClassVar[str] = "Every method on one map of risk and utility"
    document: ClassVar[str] = (
        "No source document has it. Census (CASC): 1,080 records of 13 amounts. Adult: 30,162 "
        "records of eight descriptive columns and an income class. Risk: expected share of records "
        "linked by the best of several attacks, those made for a method included, by an intruder "
        "who knows all original values."
    )

    def about(self, experiments: tuple[Experiment, ...]) -> About:
        """What the map shows."""
        del experiments
        return About(
            system=(
                "Every method at several strengths is one point: what an intruder links on one "
                "axis, what is lost on the other. Points that no other beats on both are the front."
            ),
            headline=(
                "For numbers, microaggregation of all columns together is hardest to beat; for "
                "categories, local suppression, then Mondrian and local recoding."
            ),
            captions={
                "census": "Census: risk and loss of every method, the front joined by a line",
                "adult": "Adult: risk and loss of every method, the front joined by a line",
            },
        )

    def experiments(self, *, quick: bool, progress: Progress) -> tuple[Experiment, ...]:
        """Both data sets; a quick run sweeps less, over a sample of Adult."""
        amounts = census()
        numbers = Table(amounts, Roles(quasi_identifiers=tuple(amounts.columns)))
        variants = list(on_census(numbers.columns, quick=quick))
        on_numbers = sweep(numbers, variants, progress, (0.0, 0.3), numbers=True)
        people, hierarchies = people_of_adult(QUICK_RECORDS if quick else None)
        tried = list(on_adult(people.roles.quasi_identifiers, hierarchies, quick=quick))
        on_people = sweep(people, tried, progress, (0.3, 1.0), numbers=False)
        reasons = "; ".join(f"{name} ({why})" for name, why in ABSENT.items())
        untried = missing_methods([*variants, *tried])
        note = f"Not on the map: {reasons}." + (
            f" Not tried in this run: {', '.join(untried)}." if untried else ""
        )
        return (
            _experiment("Census", "Loss: mean |x − x'| / (√2 σ) per cell.", on_numbers),
            _experiment("Adult", f"{PREDICTED} {note}", on_people),
        )

    def figures(
        self, experiments: tuple[Experiment, ...], *, quick: bool
    ) -> Mapping[str, Callable[[], Chart]]:
        """A map of each data set."""
        del quick
        from microveil.studies.frontier.figures import frontier_map

        return {
            experiment.title.lower(): partial(frontier_map, experiment)
            for experiment in experiments
        }


def people_of_adult(n: int | None = None) -> tuple[Table, dict[str, File]]:
    """Adult with its roles, whole or a sample of so many records, and hierarchies of its keys."""
    frame = adult() if n is None else adult().sample(n, seed=1)
    keys = tuple(name for name in frame.columns if name != TARGET)
    people = Table(frame, Roles(quasi_identifiers=keys, sensitive=(TARGET,)))
    return people, {name: each for name, each in adult_hierarchies().items() if name in keys}


def sweep(
    table: Table,
    variants: Iterable[Variant],
    progress: Progress,
    part: tuple[float, float],
    *,
    numbers: bool,
) -> list[Point]:
    """Each variant applied and scored."""
    return [
        Point(family, parameter, standing(table, released, step, numbers=numbers))
        for (family, parameter, step), released in releases(table, variants, progress, part)
    ]


def releases(
    table: Table, variants: Iterable[Variant], progress: Progress, part: tuple[float, float]
) -> Iterator[tuple[Variant, Table]]:
    """Each variant with the table that it makes."""
    jobs = list(variants)
    start, end = part
    for i, (family, parameter, step) in enumerate(jobs):
        progress(start + (end - start) * i / len(jobs), 1, f"{family} {parameter}")
        try:
            released = step.apply(table, np.random.default_rng([2026, i])).table
        except InputError as error:
            raise InputError(f"{family} {parameter}: {error}") from error
        yield (family, parameter, step), released


def _experiment(title: str, note: str, points: list[Point]) -> Experiment:
    front = pareto([(point.at.risk, point.at.loss) for point in points])
    cells = []
    for point, best in zip(points, front, strict=True):
        where = {"method": point.family, "parameter": point.parameter, "attack": point.at.attack}
        cells += [
            Cell(where, "risk", point.at.risk),
            Cell(where, "loss", point.at.loss),
            Cell(where, "on the front", float(best)),
        ]
    return Experiment.of(title, "New here", cells, note=note)


def pareto(points: list[tuple[float, float]]) -> list[bool]:
    """Which points no other one beats: lower in one, and no higher in the other.

    >>> pareto([(0.1, 0.5), (0.5, 0.1), (0.5, 0.5)])
    [True, True, False]
    """
    return [
        not any(
            other[0] <= point[0] and other[1] <= point[1] and other != point for other in points
        )
        for point in points
    ]
