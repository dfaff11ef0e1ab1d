"""The planner: for every step of a recipe, the plan that needs the least of the table."""

from __future__ import annotations

import numpy as np

from microveil.errors import InputError, NotOnSparkError, at
from microveil.methods import (
    AdditiveNoise,
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
from microveil.planning.methods import additive_noise, pram, sample
from microveil.planning.methods.by_classes import plan_by_classes
from microveil.planning.methods.by_sorting import plan_by_sorting
from microveil.planning.methods.top_bottom_code import plan_coding
from microveil.planning.narrow import narrow_plan
from microveil.planning.plan import RowByRow, StepPlan, read_by
from microveil.recipes import Recipe
from microveil.tables import Roles
from microveil.texts import phrase


def plan_steps(recipe: Recipe, engine: Engine, seed: int) -> Course:
    """A plan for every step, each made for the table as the plans before it leave it.

    An engine may perform a step in its own way: a new course then starts after it.
    """
    course = Course(engine, recipe.roles)
    chance = Chance.of(seed, engine.head())
    for position, step in enumerate(recipe.steps):
        with recipe.beside_its_files(), at(f"steps.{position}.{step.kind()}"):
            refuse_split(step)
            aimed = step.toward(recipe.models, recipe.missing_keys)
            rng = chance.stream(step, position)
            taken = course.engine.take_step(aimed, course, rng)
            if taken is not None:
                course = course.behind(position, taken)
                continue
            for plan in _plans(aimed, position, course, rng):
                course = course.then(plan)
    return course


def refuse_split(step: Method) -> None:
    """Raise an error for steps that make further tables."""
    if step.splits or step.makes_mapping:
        raise InputError(
            "Step '{kind}' makes further tables, which cannot be done in parts. Run the "
            "table whole.",
            kind=step.kind(),
        )


def _plans(step: Method, position: int, course: Course, rng: np.random.Generator) -> list[StepPlan]:
    if step.row_wise and (course.engine.holds_rows or not _reads_a_file(step)):
        return [RowByRow(step, position, step.touches(course.head))]
    found = _plan(step, position, course, rng)
    if found is not None:
        return found
    if not course.engine.holds_rows:
        raise not_there(step, course.head.roles)
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
    by_record = roles.household is None
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


INSTEAD = {
    "rank_swap": phrase("pram for categories, additive_noise for numbers"),
    "shuffle": phrase("additive_noise with correlated: true"),
    "permute": "pram",
    "half_swap": "additive_noise",
    "swap_records": "pram",
    "dp_microaggregate": "microaggregate",
    "synthesize": phrase("mondrian, or a run on one machine"),
    "aggregate": "generalize",
}
"""Steps that look at all rows at once, and what comes near them."""


def not_there(step: Method, roles: Roles) -> NotOnSparkError:
    """What to use instead of a step that is not available on a cluster, or not with these roles."""
    name = step.kind()
    if why := _own_reason(step):
        return NotOnSparkError("Step '{name}' {why}", name=name, why=why)
    instead = INSTEAD.get(name)
    if instead is None and roles.household is None and roles.entity is None and not roles.strata:
        return NotOnSparkError(
            "Step '{name}' with these parameters looks at all rows at once, which the Spark "
            "engine does not do. Use --engine local.",
            name=name,
        )
    if instead is None:
        return NotOnSparkError(
            "Step '{name}' needs all records of a person, household or stratum at once here, "
            "which the Spark engine does not have. Leave these roles out, or use --engine "
            "local.",
            name=name,
        )
    return NotOnSparkError(
        "Step '{name}' looks at all rows at once, which the Spark engine does not do. Use "
        "{instead}; or --engine local.",
        name=name,
        instead=instead,
    )


def _own_reason(step: Method) -> str | None:
    """Why a step is not on Spark for a reason of its own, and what to do; None for others."""
    if step.splits:
        return phrase(
            "makes several tables, and the Spark engine writes one. Use mondrian with "
            "models, which keeps one table; or --engine local."
        )
    if step.makes_mapping:
        return phrase(
            "gathers a mapping of all its values, and the Spark engine writes no "
            "mapping. Leave `mapping` out, or use --engine local."
        )
    return {
        "match_classes": phrase(
            "looks up known classes on one machine only. Use --engine local, with --in-parts "
            "if the table is large."
        ),
        "pseudonymize": phrase(
            "compares all pseudonyms of style 'number', so that no two values share one, "
            "which the Spark engine does not do. Use style token or uuid, or --engine local."
        ),
    }.get(step.kind())
