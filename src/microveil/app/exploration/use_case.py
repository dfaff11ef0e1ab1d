"""Run every point of a grid, in parallel, and resume an interrupted exploration."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, as_completed
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from microveil.app.exploration.axes import Axis, Wanted, parse_axes
from microveil.app.exploration.axis_values import AxisValue, axis_values
from microveil.app.exploration.choosing import (
    cautions_of,
    ceilings_of,
    default_risk,
    default_utility,
)
from microveil.app.exploration.points import MAIN, Alternatives, Grid, Setting, settings_of
from microveil.app.exploration.result import Exploration, Point
from microveil.app.exploration.saving import Folder
from microveil.app.exploration.workers import usable_workers
from microveil.app.running import read_by_recipe, run
from microveil.cores import shared_pool
from microveil.errors import InputError, MicroveilError
from microveil.methods.parts.streams import fresh_seed
from microveil.progress import Progress, shows_progress, silent
from microveil.recipes import Recipe
from microveil.recipes.recipe import refuse_other
from microveil.release import Release
from microveil.tables import Table, to_polars
from microveil.texts import phrase

ALIKE = 1e-9
"""Relative difference up to which a recomputed number counts as equal."""


@shows_progress
def explore(  # noqa: PLR0913  all but two are the caller's to leave open
    data: Any,
    recipe: Recipe,
    grid: Grid | None = None,
    *,
    name: str = MAIN,
    alternatives: Alternatives | None = None,
    risk: Wanted | Sequence[Wanted] | None = None,
    utility: Wanted | Sequence[Wanted] | None = None,
    seed: int | None = None,
    workers: int | None = None,
    resume: str | Path | None = None,
    progress: Progress = silent,
) -> Exploration:
    """Make one release per point of a grid and measure its risk and utility.

    ``grid`` maps paths in the recipe to values, ``{"steps.1.k": [3, 5, 10]}``; all combinations are
    points. Paths joined by ``+`` take the same value (``"steps.1.k+require.0.k"``). A list of
    mappings names the points one by one. ``alternatives`` are further recipes by name, each with
    this grid or, as a pair, with one of its own; ``name`` is the name of the first.

    ``risk`` and ``utility`` name measures of the registries, ``"interval_disclosure:k=0.2"``,
    ``"class_sizes.average_risk"``, or are specs, one or several; the first of each forms the map.
    By default they are those that the recipe's requirements limit, and its limits are ceilings: a
    point that exceeds one does not count.

    The seed is a secret. Each point draws from its own stream, which depends on the seed and on the
    point's recipe, so that neither the rest of the grid nor the number of ``workers`` (threads)
    changes a result. ``resume`` is a folder in which finished points are saved and found again. A
    point that fails stays in the result with the reason.

    >>> recipe = Recipe.from_yaml('''
    ... roles: {quasi_identifiers: [age]}
    ... steps: [{method: round, columns: [age], base: 5}]
    ... ''')
    >>> found = explore({"age": [31, 33, 42, 44]}, recipe, {"steps.0.base": [5, 20]})
    >>> found.frame["class_sizes"].to_list()
    [1.0, 0.25]
    """
    refuse_other(recipe)
    settings = settings_of(recipe, grid, alternatives, name)
    recipes = [(one.name, one.recipe) for one in settings if one.recipe is not None]
    original = read_by_recipe(recipe, Table(to_polars(data)))
    plans = [one for _, one in recipes]
    job = _Job(
        original=original,
        risk=default_risk(plans, original) if risk is None else parse_axes(risk, "risk"),
        utility=default_utility(plans, original)
        if utility is None
        else parse_axes(utility, "utility"),
        seed=fresh_seed(seed),
        folder=None,
    )
    if resume is not None:
        folder = Folder.open(resume, original, job.axes, seeded=seed is not None)
        job = replace(job, folder=folder)
    points = _all_points(job, settings, usable_workers(workers, len(settings)), progress)
    return Exploration(
        points=points,
        risk=tuple(axis.label for axis in job.risk),
        utility=tuple(axis.label for axis in job.utility),
        original=_of_original(job, recipe),
        cautions=cautions_of(job.axes, recipes, original),
        ceilings=ceilings_of(job.axes, recipe),
        _remake=lambda point: job.release(settings[point.number], data),
    )


def _of_original(job: _Job, recipe: Recipe) -> dict[str, AxisValue]:
    """The scores of the original: the corner of the map that all points start from."""
    try:
        return axis_values(job.axes, job.original, job.original, recipe)[0]
    except Exception:  # noqa: BLE001  a mark on the map must not cost the points
        return {}


@dataclass(frozen=True, eq=False)
class _Job:
    """What all points share; read by several threads, changed by none."""

    original: Table
    risk: tuple[Axis, ...]
    utility: tuple[Axis, ...]
    seed: int = field(repr=False)
    folder: Folder | None

    @property
    def axes(self) -> tuple[Axis, ...]:
        return (*self.risk, *self.utility)

    def release(self, setting: Setting, data: Any) -> Release:
        """Make the release of a setting."""
        if setting.recipe is None:
            raise InputError(setting.problem or phrase("This point has no recipe."))
        release: Release = run(setting.recipe, data, seed=self._stream(setting))
        return release

    def _stream(self, setting: Setting) -> int:
        """The point's own seed, from which neither the seed nor another point's can be derived."""
        text = f"{self.seed}/{setting.digest}".encode()
        return int.from_bytes(hashlib.sha256(text).digest()[:16], "big")

    def finish_point(self, setting: Setting, number: int) -> Point:
        """One point, saved to the folder as soon as it is finished."""
        point = self.point(setting, number)
        if self.folder is not None and not _is_unexpected(point):
            self.folder.save(setting, point)
        return point

    def point(self, setting: Setting, number: int) -> Point:
        """Run and measure one setting; any failure is recorded as its problem."""
        started = time.perf_counter()
        blank = Point(number, setting.name, setting.values, problem=setting.problem)
        if setting.recipe is None:
            return blank
        try:
            release = self.release(setting, self.original.frame)
            if self.original.height and not release.table.height:
                # An empty table is the safest, and of no use to anybody.
                return _with_problem(blank, "No record is left in the release.", started)
            by_axis, problems = axis_values(
                self.axes, release.original, release.table, setting.recipe
            )
        except MicroveilError as error:
            return _with_problem(blank, error.message, started)
        except Exception as error:  # noqa: BLE001  one broken point must not cost the others
            # The message of a foreign exception may quote a cell, so only its type is kept.
            return _with_problem(blank, f"Unexpected {type(error).__name__}.", started)
        return Point(
            number,
            setting.name,
            setting.values,
            holds=release.holds,
            by_axis=by_axis,
            seconds=time.perf_counter() - started,
            problem=" ".join(problems) or None,
        )


def _with_problem(point: Point, problem: str, started: float) -> Point:
    seconds = time.perf_counter() - started
    return Point(point.number, point.recipe, point.values, seconds=seconds, problem=problem)


def _all_points(
    job: _Job, settings: Sequence[Setting], workers: int, progress: Progress
) -> tuple[Point, ...]:
    """Every point, taken from the folder if it is there."""
    done = _load_points(job, settings)
    left = [number for number in range(len(settings)) if number not in done]
    progress(len(done), len(settings), "points")
    for point in _make_points(job, settings, left, workers):
        done[point.number] = point
        progress(len(done), len(settings), "points")
    return tuple(done[number] for number in range(len(settings)))


def _make_points(
    job: _Job, settings: Sequence[Setting], numbers: Sequence[int], workers: int
) -> Iterator[Point]:
    """Points as they are finished."""
    if workers == 1 or len(numbers) <= 1:
        for number in numbers:
            yield job.finish_point(settings[number], number)
        return
    # After Ctrl-C nothing new is started; work in progress is finished and saved.
    with shared_pool(len(numbers), workers) as pool:
        waiting: list[Future[Point]] = [
            pool.submit(job.finish_point, settings[number], number) for number in numbers
        ]
        for finished in as_completed(waiting):
            yield finished.result()


def _load_points(job: _Job, settings: Sequence[Setting]) -> dict[int, Point]:
    """Points in the folder, provided that they were made with the same seed."""
    if job.folder is None:
        return {}
    found = {
        number: point
        for number, setting in enumerate(settings)
        if (point := job.folder.load(setting, number)) is not None
    }
    made = [point for point in found.values() if point.by_axis]
    if not made or not job.folder.seeded:
        return found
    # No trace of the seed is kept. Whether it is the same is tested by recomputing the quickest
    # point; with another seed, all are recomputed.
    quickest = min(made, key=lambda point: point.seconds)
    again = job.point(settings[quickest.number], quickest.number)
    return found if _alike(quickest, again) else {}


def _alike(one: Point, other: Point) -> bool:
    return one.by_axis.keys() == other.by_axis.keys() and all(
        abs(one.by_axis[axis].value - other.by_axis[axis].value)
        <= ALIKE * max(1.0, abs(one.by_axis[axis].value))
        for axis in one.by_axis
    )


def _is_unexpected(point: Point) -> bool:
    return point.problem is not None and point.problem.startswith("Unexpected ")
