"""What a search for a goal finds, beside a sweep of every method by hand, on Adult."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from microveil.errors import InputError
from microveil.progress import Progress
from microveil.studies.advise.rivals import YARDSTICKS, Found, Rival, best_rival, rival_of
from microveil.studies.base import About, Study
from microveil.studies.cells import Cell, Experiment
from microveil.studies.frontier.scoring import TARGET
from microveil.studies.frontier.study import PREDICTED, pareto, people_of_adult, releases
from microveil.studies.frontier.variants import on_adult
from microveil.tables import Table

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

QUICK_RECORDS = 150
ASKED, QUICK_ASKED = (5, 25, 100), (5,)
WORK, QUICK_WORK = 25.0, 0.4
"""Units of work of each search, about a second of a core each; together about the sweep."""
ALIKE = 1e-9
"""Difference that is none."""
SECONDS = 3_600.0
"""Long enough that work ends a search, not time: the numbers are the same on a busy machine."""
TASTES = {"useful": "most useful", "safest": "safest", "truest": "truest"}


class Advise(Study):
    """Whether asking for a goal gives what trying every method by hand would."""

    name: ClassVar[str] = "advise"
    title: ClassVar[str] = "What a search for a goal finds, on the map of every method"
    document: ClassVar[str] = (
        "No source document has it. Adult: 30,162 records of eight descriptive columns and an "
        "income class. The sweep is that of the study `frontier`, and so are risk and loss."
    )
    search: Callable[..., Any] | None = None
    """The use case `advise`, which lies above the studies and is handed down to this one."""

    def about(self, experiments: tuple[Experiment, ...]) -> About:
        """What was asked, and how often the sweep has something better."""
        better, level, worse = tally(experiments[0])
        return About(
            system=(
                "The goal: k-anonymity with missing values as wildcards, and a model of the income "
                "class that stays right. For each k `advise` offers up to three recipes. Each is "
                "beside the best release of the sweep that meets the same goal, by what the recipe "
                "was chosen by: the most useful by its loss, the safest by its risk (among "
                "releases that lose no more than it does), the truest by its changed cells. The "
                "loss is measured on some 6,000 held-out people, so that a few ten-thousandths are "
                "chance."
            ),
            headline=(
                f"Of {better + level + worse} recipes on offer, {better} do better than every "
                f"release of the sweep that meets the goal, {level} as well, {worse} worse."
            ),
            captions={"adult": "Adult: recipes on offer over the sweep of every method"},
        )

    def experiments(self, *, quick: bool, progress: Progress) -> tuple[Experiment, ...]:
        """The sweep, then a search for each k; a quick run has few records and one k."""
        people, hierarchies = people_of_adult(QUICK_RECORDS if quick else None)
        variants = list(on_adult(people.roles.quasi_identifiers, hierarchies, quick=quick))
        if quick:
            variants = [one for one in variants if one[0] in ("mondrian", "local suppression")]
        start = time.process_time()
        swept = [
            rival_of(people, released, variant[:2], variant[2:])
            for variant, released in releases(people, variants, progress, (0.0, 0.5))
        ]
        found: list[Found] = []
        half = time.process_time()
        ks = QUICK_ASKED if quick else ASKED
        for i, k in enumerate(ks):
            progress(0.5 + 0.5 * i / len(ks), 1, f"advise k = {k}")
            goal = goal_of(k, hierarchies)
            found += self._search(people, k, goal, QUICK_WORK if quick else WORK)
        taken = half - start, time.process_time() - half
        return (compare_with_sweep(found, swept, taken), front_of(swept))

    def _search(
        self, people: Table, k: int, goal: Mapping[str, Any], work: float
    ) -> Iterator[Found]:
        if self.search is None:
            raise InputError(
                "The study `advise` needs the search, which lies above the studies: set "
                "`study.search = microveil.advise`, or run `microveil study advise`."
            )
        advice = self.search(
            people.frame, people.roles, goal, seconds=SECONDS, work=work, seed=2026
        )
        for offer in advice.offers:
            steps = offer.candidate.recipe.steps
            name = (offer.candidate.name, f"k = {k}")
            release = rival_of(people, offer.release.table, name, steps)
            yield Found(k, TASTES[offer.taste], release)

    def figures(
        self, experiments: tuple[Experiment, ...], *, quick: bool
    ) -> Mapping[str, Callable[[], Chart]]:
        """Both fronts on one map."""
        del quick
        from microveil.studies.advise.figures import fronts_map

        return {"adult": partial(fronts_map, *experiments)}


def goal_of(k: int, hierarchies: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked: the sweep's loss and hierarchies, so that both try for the same."""
    return {
        "require": [{"model": "k_anonymity", "k": k}],
        "analyses": [{"analysis": "prediction", "target": TARGET}],
        "hierarchies": {name: one.to_dict() for name, one in hierarchies.items()},
        "missing": "wildcard",
    }


def compare_with_sweep(
    found: Sequence[Found], swept: Sequence[Rival], taken: tuple[float, float] = (0.0, 0.0)
) -> Experiment:
    """Each recipe on offer beside the best release of the sweep that meets the same goal."""
    cells = []
    for one in found:
        by = YARDSTICKS[one.taste]
        where = {"asked": f"k = {one.k}", "taste": one.taste}
        where |= {"recipe": one.release.point.family, "chosen by": by}
        cells += [
            Cell(where, "risk", one.release.point.at.risk),
            Cell(where, "loss", one.release.point.at.loss),
            Cell(where, "changed cells", one.release.changed),
        ]
        rival = best_rival(one, swept)
        if rival is not None:
            cells.append(Cell(where, "sweep's best", rival))
    cpu = (
        f"CPU time of the sweep: {taken[0]:.0f} s; of all searches together: {taken[1]:.0f} s."
        if any(taken)
        else ""
    )
    note = f"{PREDICTED} {cpu}".strip()
    return Experiment.of("Recipes on offer", "New here", cells, note=note)


def front_of(swept: Sequence[Rival]) -> Experiment:
    """The releases of the sweep that no other of it beats."""
    front = pareto([(one.point.at.risk, one.point.at.loss) for one in swept])
    cells = []
    for one, best in zip((rival.point for rival in swept), front, strict=True):
        where = {"method": one.family, "parameter": one.parameter}
        if best:
            cells += [Cell(where, "risk", one.at.risk), Cell(where, "loss", one.at.loss)]
    return Experiment.of("The front of the sweep", "The study `frontier`", cells)


def tally(offered: Experiment) -> tuple[int, int, int]:
    """Recipes on offer that are better than the sweep's best for their taste, as good, worse."""
    rows = points(offered)
    ahead = [
        float(row.get("sweep's best", float("inf"))) - float(row[row["chosen by"]]) for row in rows
    ]
    better, worse = sum(one > ALIKE for one in ahead), sum(one < -ALIKE for one in ahead)
    return better, len(ahead) - better - worse, worse


def points(experiment: Experiment) -> list[dict[str, Any]]:
    """The rows of an experiment: its places and numbers by name."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for cell in experiment.cells:
        row = found.setdefault(tuple(cell.where.values()), dict(cell.where))
        row[cell.quantity] = cell.ours
    return list(found.values())
