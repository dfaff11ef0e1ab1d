"""The tables of a recipe, made from the original and audited against the released records."""

from __future__ import annotations

import polars as pl

from microveil.hierarchies import build_hierarchy
from microveil.progress import Progress, silent
from microveil.recipes import Recipe
from microveil.release.release import Release
from microveil.tables.values import as_text
from microveil.tabulation.dimensions import hierarchy_rows
from microveil.tabulation.plan import TablePlan
from microveil.tabulation.tables import ProtectedTables


def table_plan_of(recipe: Recipe) -> TablePlan | None:
    """The plan of a recipe's tables; people are told apart as the recipe says."""
    if recipe.tables is None:
        return None
    plan = TablePlan.parse(recipe.tables)
    return plan.model_copy(update={"roles": recipe.roles})


def release_tables(
    release: Release, seed: int | None = None, progress: Progress = silent
) -> ProtectedTables | None:
    """The tables that leave with a release: what its records tell counts as known.

    None if the recipe has none; raises as ``release.data`` does.
    """
    release.require_all()
    plan = table_plan_of(release.recipe)
    if plan is None:
        return None
    with release.recipe.beside_its_files():
        return plan.make(
            release.original.frame,
            released=true_records(release, plan),
            seed=seed,
            progress=progress,
        )


def true_records(release: Release, plan: TablePlan) -> pl.DataFrame | None:
    """The released values of the tables' variables that are true, and nothing where they are not.

    A value is true if it is the original one or stands above it in the hierarchy of a table. An
    intruder who knew which values are true would know no more than this. None for records that are
    nobody's.
    """
    table, rows = release.table, release.table.rows
    if table.synthetic or (rows is None and table.height != release.original.height):
        return None
    before = release.original.frame if rows is None else release.original.frame[rows]
    shown = [
        _true_values(plan, name, table.frame[name], before[name])
        for name in dict.fromkeys(name for one in plan.tables for name in one.by)
        if name in release.leaving_columns()
    ]
    return pl.DataFrame(shown) if shown else None


def _true_values(plan: TablePlan, name: str, after: pl.Series, before: pl.Series) -> pl.Series:
    pairs = pl.DataFrame({"after": as_text(after), "before": as_text(before)})
    above = {(text, text) for text in pairs["before"].unique().to_list() if text is not None}
    for table in plan.tables:
        if name in table.hierarchies:
            for row in hierarchy_rows(build_hierarchy(table.hierarchies[name], before)):
                above |= {(code, row[0]) for code in row}
    known = pl.DataFrame(list(above), schema=["after", "before"], orient="row").with_columns(
        true=pl.lit(value=True)
    )
    found = pairs.join(known, on=["after", "before"], how="left", maintain_order="left")
    return found.select(pl.when("true").then("after").alias(name)).to_series()
