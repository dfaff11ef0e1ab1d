"""The planner: for every step of a recipe, the plan that needs the least of the table."""

from __future__ import annotations

import numpy as np

from microveil.errors import InputError, InternalError, NotOnSparkError, at
from microveil.methods import (
    AdditiveNoise,
    Decompose,
    Method,
    MultiplicativeNoise,
    Pram,
    RandomizedResponse,
    Round,
    Sample,
    TopBottomCode,
)
from microveil.methods.parts.streams import Chance
from microveil.planning.course import Course, Engine
from microveil.planning.methods import additive_noise, decompose, pram, sample
from microveil.planning.methods.by_classes import plan_by_classes
from microveil.planning.methods.by_sorting import plan_by_sorting
from microveil.planning.methods.top_bottom_code import plan_coding
from microveil.planning.narrow import narrow_plan
from microveil.planning.plan import RowByRow, StepPlan, read_by
from microveil.recipes import Recipe
from microveil.recipes.splits import check_splits


def plan_steps(recipe: Recipe, engine: Engine, seed: int) -> Course:
    """A plan for every step, each made for the table as the plans before it leave it.

    An engine may perform a step in its own way: a new course then starts after it. A step that
    splits the table comes last: rows get their links, and who writes them splits them. Where rows
    have no order, it is left to the engine.
    """
    check_splits(recipe)
    course = Course(engine, recipe.roles)
    chance = Chance.of(seed, engine.head())
    for position, step in enumerate(recipe.steps):
        if step.splits:
            continue
        with recipe.beside_its_files(), at(f"steps.{position}.{step.kind()}"):
            refuse_mapping(step, in_order=course.engine.holds_rows)
            aimed = step.toward(recipe.models, recipe.missing_keys)
            rng = chance.stream(step, position)
            taken = course.engine.take_step(aimed, course, rng)
            if taken is not None:
                course = course.behind(position, taken)
                continue
            plans = _plans(aimed, position, course, rng)
            if plans is None:
                taken = course.engine.take_step(aimed, course, rng, unplanned=True)
                if taken is None:
                    raise InternalError("No engine takes step '{kind}'.", kind=step.kind())
                course = course.behind(position, taken)
                continue
            for plan in plans:
                course = course.then(plan)
    return _split_last(recipe, course, chance)


def _split_last(recipe: Recipe, course: Course, chance: Chance) -> Course:
    for position, step in enumerate(recipe.steps):
        if isinstance(step, Decompose) and course.engine.holds_rows:
            with at(f"steps.{position}.{step.kind()}"):
                rng = chance.stream(step, position)
                course = course.then(decompose.plan_links(step, position, course, rng))
    return course


def refuse_mapping(step: Method, *, in_order: bool = True) -> None:
    """Raise an error for steps that make a mapping, by parts in order or on a cluster."""
    if step.makes_mapping:
        if not in_order:
            raise not_there(step)
        raise InputError(
            "Step '{kind}' makes a mapping, which cannot be done in parts. Run the table whole.",
            kind=step.kind(),
        )


def _plans(
    step: Method, position: int, course: Course, rng: np.random.Generator
) -> list[StepPlan] | None:
    """The plans of a step; None if it must see all rows, and the engine gives none to plans."""
    if step.row_wise and (course.engine.holds_rows or not _reads_a_file(step)):
        return [RowByRow(step, position, step.touches(course.head))]
    found = _plan(step, position, course, rng)
    if found is not None:
        return found
    if not course.engine.holds_rows:
        return None
    sorted_plans = plan_by_sorting(step, position, course, rng)
    if sorted_plans is not None:
        return list(sorted_plans)
    table = course.gather(read_by(step, course.head))
    return [narrow_plan(step, position, table, rng)]


def _reads_a_file(step: Method) -> bool:
    """Whether a step reads a file named in its recipe, which a remote worker does not have."""
    return getattr(getattr(step, "hierarchy", None), "path", None) is not None


def _plan(
    step: Method, position: int, course: Course, rng: np.random.Generator
) -> list[StepPlan] | None:
    """Plans made from counts or moments; None if the step must see every row."""
    roles = course.head.roles
    by_record = roles.household is None and roles.entity is None
    if isinstance(step, MultiplicativeNoise | Round) and by_record:
        return [RowByRow(step, position, step.columns, by_chance=True)]
    if isinstance(step, TopBottomCode):
        return [plan_coding(step, position, course)]
    if isinstance(step, Pram | RandomizedResponse) and pram.suits(step, roles):
        return [pram.plan_draws(step, position, course, rng)]
    if isinstance(step, AdditiveNoise) and additive_noise.suits(step, roles):
        return [additive_noise.plan_noise(step, position, course)]
    if isinstance(step, Sample) and sample.suits(step, roles):
        return [sample.plan_sample(step, position, course, rng)]
    plans = plan_by_classes(step, position, course, rng)
    return None if plans is None else list(plans)


def not_there(step: Method) -> NotOnSparkError:
    """Why a step that makes a mapping is not on Spark, and what to do."""
    return NotOnSparkError(
        "Step '{name}' gathers a mapping of all its values, and the Spark engine writes no "
        "mapping. Leave `mapping` out, or use --engine local.",
        name=step.kind(),
    )
