"""Run a recipe on a Spark frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from microveil.errors import InputError, NotOnSparkError, at, quote
from microveil.methods import Decompose
from microveil.methods.parts.streams import Chance, fresh_seed
from microveil.planning import plan_steps
from microveil.planning.memory import memory_limit as memory_limit_of
from microveil.planning.plan import join_facts
from microveil.recipes import Recipe
from microveil.recipes.splits import check_splits
from microveil.release.release import StepFacts
from microveil.spark.comparing import number_if_compared, refuse_without_rows
from microveil.spark.engine import SparkEngine
from microveil.spark.frames import refuse_nested_columns
from microveil.spark.registering import register
from microveil.spark.release import SparkRelease, with_checks
from microveil.spark.splitting import Split, split_frame
from microveil.spark.table import SparkTable
from microveil.tables import Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from microveil.planning import Course
    from microveil.registry import Registry, RegistryTerms


def run_on_spark(
    recipe: Recipe,
    frame: DataFrame,
    *,
    seed: int | None = None,
    memory_limit: str | int | None = None,
    registry: Registry | RegistryTerms | None = None,
) -> SparkRelease:
    """Apply a recipe to a Spark frame; the release gives one, and only if all requirements hold.

    The same seed and partitions give the same rows. ``memory_limit`` is the memory of the driver
    that plans may use. With a ``registry`` the release is compared with earlier ones of the same
    people, for which both tables come to the driver, and noted when it is written.
    """
    refuse_without_rows(recipe)
    _refuse_reading(recipe)
    if recipe.tables is not None:
        raise NotOnSparkError(
            "The Spark engine makes no tables: leave the block `tables` out, or use --engine local."
        )
    check_splits(recipe)
    refuse_nested_columns(frame)
    secret = fresh_seed(seed)
    engine = SparkEngine(frame, recipe.roles, secret, memory_limit_of(memory_limit))
    with at("roles"):
        original = engine.table
    registered = registry is not None
    numbered = number_if_compared(recipe, frame, engine.memory_limit, registered=registered)
    if numbered is not None:
        engine = replace(engine, frame=numbered.frame)
    course = plan_steps(recipe, engine, secret)
    last = course.engine
    if not isinstance(last, SparkEngine):
        raise InputError("The course of a Spark run left Spark.")
    with recipe.beside_its_files():
        table = _after(last, course)
    order = int(Chance(secret, b"order").stream(recipe.roles, 0).integers(2**62))
    rows = None
    if numbered is not None:
        rows, table = numbered.bring_both(recipe.roles, table), numbered.strip(table)
    facts = _facts(recipe, course)
    split = _split(recipe, table, secret, (engine, last))
    if split is not None:
        table = split.main
        rows = None if rows is None else (rows[0], _select_shown(split, rows[1]))
        facts = tuple(
            replace(one, facts=split.facts) if step.splits else one
            for step, one in zip(recipe.steps, facts, strict=True)
        )
    made = SparkRelease(recipe, original, table, (), facts, order, split, rows)
    return with_checks(made if registry is None else register(made, registry))


def _select_shown(split: Split, rows: Table) -> Table:
    """What is released of each record: the columns of all tables, or with l those of the first."""
    groups = list(split.step.groups.values())
    names = [name for group in (groups if split.step.l is None else groups[:1]) for name in group]
    return rows.with_frame(rows.frame.select(pl.col(names)))


def _split(
    recipe: Recipe, table: SparkTable, seed: int, engines: tuple[SparkEngine, SparkEngine]
) -> Split | None:
    """The table split by the recipe's step, after all others; None if none splits it."""
    first, last = engines
    for position, step in enumerate(recipe.steps):
        if isinstance(step, Decompose):
            with at(f"steps.{position}.{step.kind()}"):
                rng = Chance.of(seed, first.head()).stream(step, position)
                return split_frame(step, table, rng, last.may_hold)
    return None


def _refuse_reading(recipe: Recipe) -> None:
    """Refuse a recipe that says how columns are read: Spark's columns have their types."""
    named = [*recipe.reading.columns, *recipe.reading.file.to_dict()]
    if named:
        raise NotOnSparkError(
            f"The recipe says how {quote(named)} are read, which the Spark engine does not do: "
            "convert these columns first and leave out `reading`, or use --engine local."
        )
    if recipe.expect is not None:
        raise NotOnSparkError(
            "The Spark engine does not compare data with an expected schema: check the files first "
            "(`microveil check RECIPE DATA`) and leave out `expect`, or use --engine local."
        )


def _after(engine: SparkEngine, course: Course) -> SparkTable:
    """The table after a course; without further plans the engine's own, whose head is known."""
    if not course.plans:
        return engine.table
    return SparkTable(engine.after(course), course.head.roles, engine.table.most_classes)


def _facts(recipe: Recipe, course: Course) -> tuple[StepFacts, ...]:
    """What is known about each step from its plan; changed rows are not counted."""
    of_steps: list[Mapping[str, Any]] = [{} for _ in recipe.steps]
    for position, facts in course.facts:
        of_steps[position] = join_facts(of_steps[position], facts)
    return tuple(
        StepFacts(step.kind(), facts, step.perturbative)
        for step, facts in zip(recipe.steps, of_steps, strict=True)
    )
