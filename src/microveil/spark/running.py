"""Run a recipe on a Spark frame, or on the files of a folder by Spark."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microveil.errors import FileError, InputError, NotOnSparkError, at, quoted
from microveil.methods.parts.streams import Chance, fresh_seed
from microveil.planning import plan_steps
from microveil.planning.memory import memory_limit as memory_limit_of
from microveil.planning.plan import joined
from microveil.recipes import Recipe
from microveil.release.counted_limits import why_not
from microveil.release.release import StepFacts
from microveil.spark.engine import SparkEngine
from microveil.spark.frames import refuse_nested_columns
from microveil.spark.release import SparkRelease, with_checks
from microveil.spark.table import SparkTable

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from microveil.planning import Course


TEXTS = {".csv": ",", ".tsv": "\t"}
"""Suffixes of text files, and the separators of their columns."""


def run_on_spark(
    recipe: Recipe,
    frame: DataFrame,
    *,
    seed: int | None = None,
    memory_limit: str | int | None = None,
) -> SparkRelease:
    """Apply a recipe to a Spark frame; the release gives one, and only if all requirements hold.

    The same seed and partitions give the same rows. ``memory_limit`` is the memory of the driver
    that plans may use.
    """
    unfit = why_not(recipe)
    if unfit is not None:
        raise NotOnSparkError(
            f"The Spark engine cannot check this requirement: {unfit}, or use --engine local."
        )
    _refuse_reading(recipe)
    refuse_nested_columns(frame)
    secret = fresh_seed(seed)
    engine = SparkEngine(frame, recipe.roles, secret, memory_limit_of(memory_limit))
    with at("roles"):
        original = engine.table
    course = plan_steps(recipe, engine, secret)
    last = course.engine
    if not isinstance(last, SparkEngine):
        raise InputError("The course of a Spark run left Spark.")
    with recipe.beside_its_files():
        table = _after(last, course)
    order = int(Chance(secret, b"order").stream(recipe.roles, 0).integers(2**62))
    return with_checks(SparkRelease(recipe, original, table, (), _facts(recipe, course), order))


def _refuse_reading(recipe: Recipe) -> None:
    """Refuse a recipe that says how columns are read: Spark's columns have their types."""
    named = [*recipe.reading.columns, *recipe.reading.file.to_dict()]
    if named:
        raise NotOnSparkError(
            f"The recipe says how {quoted(named)} are read, which the Spark engine does not do: "
            "convert these columns first and leave out `reading`, or use --engine local."
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
        of_steps[position] = joined(of_steps[position], facts)
    return tuple(
        StepFacts(step.kind(), facts, step.perturbative)
        for step, facts in zip(recipe.steps, of_steps, strict=True)
    )


def read_on_spark(session: SparkSession, source: str | Path) -> DataFrame:
    """The table in a Parquet or CSV file, or in all files of a folder with the same columns."""
    path = Path(source)
    check_source(path)
    if path.suffix.lower() in TEXTS:
        separator = TEXTS[path.suffix.lower()]
        return session.read.csv(str(path), header=True, inferSchema=True, sep=separator)
    return session.read.parquet(str(path))


def check_source(path: Path) -> None:
    """Raise an error, before Spark is started, for a source that it cannot read as one table."""
    if not path.exists():
        raise FileError(f"{path}: no such file or folder.")
    if path.suffix.lower() in TEXTS:
        return
    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    if not files or any(file.suffix.lower() != ".parquet" for file in files):
        raise FileError(f"{path}: the Spark engine reads Parquet and CSV files.")
    _refuse_unlike(files)


def _refuse_unlike(files: list[Path]) -> None:
    """Raise an error if the files of a folder do not have the same columns and types."""
    from pyarrow.parquet import read_schema

    first = read_schema(files[0])
    for file in files[1:]:
        other = read_schema(file)
        if other.remove_metadata() != first.remove_metadata():
            unlike = {field.name for field in first} ^ {field.name for field in other}
            unlike |= {
                field.name
                for field in first
                if field.name in other.names and other.field(field.name).type != field.type
            }
            raise FileError(
                f"{file.name} has a different schema from {files[0].name}: column "
                f"{quoted(sorted(unlike))}. Give all files the same columns and types."
            )
