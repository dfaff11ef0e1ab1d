"""What a search for a goal finds, beside a sweep of every method by hand, on Adult."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from microveil.errors import InputError
from microveil.progress import Progress
from microveil.studies.base import About, Study
from microveil.studies.cells import Cell, Experiment
from microveil.studies.frontier.scoring import TARGET, standing
from microveil.studies.frontier.study import PREDICTED, Point, pareto, people_of_adult, sweep
from microveil.studies.frontier.variants import on_adult
from microveil.tables import Table

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

QUICK_RECORDS = 150
ASKED, QUICK_ASKED = (5, 25, 100), (5,)
WORK, QUICK_WORK = 8.0, 0.4
"""Units of work of each search: about a second of one core each."""
SECONDS = 3_600.0
"""Long enough that work ends a search, not time: the numbers are the same on a busy machine."""
TASTES = {"useful": "most useful", "safest": "safest", "truest": "truest"}


@dataclass(frozen=True)
class Found:
    """A recipe on offer, scored as the sweep's releases are."""

    k: int
    taste: str
    point: Point


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
                "The goal: k-anonymity, and a model of the income class that stays right. "
                "For each k `advise` offers up to three recipes; each is beside the best release "
                "of the sweep that is at most as risky. The safest and the truest are chosen by "
                "risk and by unchanged cells, not by the loss that the map shows."
            ),
            headline=(
                f"Of {better + level + worse} recipes on offer, {better} lose less than every "
                f"release of the sweep that is at most as risky, {level} the same, {worse} more."
            ),
            captions={"adult": "Adult: recipes on offer over the sweep of every method"},
        )

    def experiments(self, *, quick: bool, progress: Progress) -> tuple[Experiment, ...]:
        """The sweep, then a search for each k; a quick run has few records and one k."""
        people, hierarchies = people_of_adult(QUICK_RECORDS if quick else None)
        variants = list(on_adult(people.roles.quasi_identifiers, hierarchies, quick=quick))
        if quick:
            variants = [one for one in variants if one[0] in ("mondrian", "local suppression")]
        swept = sweep(people, variants, progress, (0.0, 0.5), numbers=False)
        found: list[Found] = []
        ks = QUICK_ASKED if quick else ASKED
        for i, k in enumerate(ks):
            progress(0.5 + 0.5 * i / len(ks), 1, f"advise k = {k}")
            goal = goal_of(k, hierarchies)
            found += self._search(people, k, goal, QUICK_WORK if quick else WORK)
        return (compare_with_sweep(found, swept), front_of(swept))

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
            at = standing(people, offer.release.table, *steps, numbers=False)
            yield Found(k, TASTES[offer.taste], Point(offer.candidate.name, f"k = {k}", at))

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


def compare_with_sweep(found: Sequence[Found], swept: Sequence[Point]) -> Experiment:
    """Each recipe on offer beside the best release of the sweep that is at most as risky."""
    places = [(one.point.at.risk, one.point.at.loss) for one in found]
    over = pareto([*places, *((one.at.risk, one.at.loss) for one in swept)])
    cells = []
    for one, best in zip(found, over, strict=False):
        at = one.point.at
        where = {"asked": f"k = {one.k}", "taste": one.taste, "recipe": one.point.family}
        cells += [Cell(where, "risk", at.risk), Cell(where, "loss", at.loss)]
        rival = [other.at.loss for other in swept if other.at.risk <= at.risk]
        if rival:
            cells.append(Cell(where, "sweep's loss", min(rival)))
        cells.append(Cell(where, "on the front of both", float(best)))
    return Experiment.of("Recipes on offer", "New here", cells, note=PREDICTED)


def front_of(swept: Sequence[Point]) -> Experiment:
    """The releases of the sweep that no other of it beats."""
    front = pareto([(one.at.risk, one.at.loss) for one in swept])
    cells = []
    for one, best in zip(swept, front, strict=True):
        where = {"method": one.family, "parameter": one.parameter}
        if best:
            cells += [Cell(where, "risk", one.at.risk), Cell(where, "loss", one.at.loss)]
    return Experiment.of("The front of the sweep", "The study `frontier`", cells)


def tally(offered: Experiment) -> tuple[int, int, int]:
    """Recipes on offer that lose less than the sweep at their risk, the same, and more."""
    rows = points(offered)
    rival = [float(row.get("sweep's loss", float("inf"))) - float(row["loss"]) for row in rows]
    better, worse = sum(one > 0 for one in rival), sum(one < 0 for one in rival)
    return better, len(rival) - better - worse, worse


def points(experiment: Experiment) -> list[dict[str, Any]]:
    """The rows of an experiment: its places and numbers by name."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for cell in experiment.cells:
        row = found.setdefault(tuple(cell.where.values()), dict(cell.where))
        row[cell.quantity] = cell.ours
    return list(found.values())
