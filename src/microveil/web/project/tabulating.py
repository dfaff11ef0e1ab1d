"""Tabulating: tables of the open data, their unsafe cells, and the files of protected ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from microveil.app.file_runs.tabulating import TableRun, publish_tables
from microveil.progress import Progress
from microveil.registry.records.recording import write_record
from microveil.registry.tabling import TableRegistration, record_tables
from microveil.reports.contents.tables.layout import layout_of
from microveil.tabulation.audit.unprotected import judge_unprotected
from microveil.tabulation.plan import TablePlan
from microveil.tabulation.tables import ProtectedTables
from microveil.web.project.packing import pack_folder
from microveil.web.project.registries import RegistryUse
from microveil.web.project.states import read_frame

MOST_LINES = 200
"""Lines of a table that a page shows."""
MOST_INTERVALS = 100
"""Intervals that a page shows."""


@dataclass(frozen=True)
class CellView:
    """A cell: its true value, what is published of it, and its status."""

    true: float | None
    published: float | None
    status: str
    """safe, unsafe, secondary, or empty."""


@dataclass(frozen=True)
class TableView:
    """A table as people read it."""

    title: str
    down: tuple[str, ...]
    across: tuple[str, ...]
    lines: tuple[tuple[tuple[str, ...], tuple[CellView, ...]], ...]
    n_lines: int
    """Lines of the whole table."""


@dataclass(frozen=True)
class TablesView:
    """Tables that were counted, or protected and audited."""

    plan: TablePlan
    protected: bool
    holds: bool
    facts: tuple[Mapping[str, Any], ...]
    tables: tuple[TableView, ...]
    intervals: tuple[tuple[str, float, float, float], ...] = ()
    """Cell, true value, and the least and the largest that an intruder can compute."""
    sentence: str = ""
    """What the tables tell together with what was published before, where there is a registry."""
    files: Mapping[str, str] = field(default_factory=dict)
    noted: str = ""


def count_tables(data: Path, plan: TablePlan, progress: Progress) -> TablesView:
    """Count the tables, and find their unsafe cells."""
    progress(0, 1, "count")
    made = judge_unprotected(read_frame(data), plan.tables, roles=plan.roles, rules=plan.rules)
    return tables_view(plan, made, protected=False)


def protect_tables(
    data: Path,
    plan: TablePlan,
    seed: int,
    progress: Progress,
    folder: Path | None = None,
    registry: RegistryUse | None = None,
) -> TablesView:
    """Protect the tables and audit them; with a folder, write the files of those that hold."""
    progress(0, 2, "protect_tables")
    made = plan.make(read_frame(data), seed=seed, progress=progress)
    terms = None if registry is None else registry.terms()
    if not made.holds:
        return tables_view(plan, made, protected=True)
    if folder is None:
        compared = None if terms is None else TableRegistration.of(terms, plan, made)
        run = TableRun(made, (), compared)
    else:
        progress(1, 2, "write")
        run = publish_tables(plan, made, folder / "tables", terms)
    return _with_files(tables_view(plan, made, protected=True), run, folder)


def _with_files(view: TablesView, run: TableRun, folder: Path | None) -> TablesView:
    noted = run.registered
    told: dict[str, Any] = {
        "sentence": "" if noted is None else noted.sentence(),
        "noted": "" if noted is None or noted.entry is None else noted.entry.id,
    }
    if folder is None:
        return replace(view, **told)
    write_record(record_tables(view.plan, run.made, None, run.written), folder / "record.json")
    (folder / "tables.yaml").write_text(view.plan.to_yaml(), encoding="utf-8")
    pack_folder(folder / "tables", folder / "tables.zip")
    files = {
        "xlsx": "tables/tables.xlsx",
        "html": "tables/tables.html",
        "csv": "tables.zip",
        "plan": "tables.yaml",
        "record": "record.json",
    }
    return replace(view, files=files, **told)


def tables_view(plan: TablePlan, made: ProtectedTables, *, protected: bool) -> TablesView:
    """What a page shows of tables; it holds true values, for the office alone."""
    audit = made.audit_frame() if protected else pl.DataFrame()
    intervals = tuple(
        (str(row["cell"]), float(row["value"]), float(row["lower"]), float(row["upper"]))
        for row in audit.head(MOST_INTERVALS).iter_rows(named=True)
    )
    frames = made.office_frames()
    tables = tuple(
        _table_view(table, frames[table.tabulation.title]) for _, table in made.published_tables()
    )
    return TablesView(plan, protected, made.holds, tuple(made.facts), tables, intervals)


def _table_view(table: Any, frame: pl.DataFrame) -> TableView:
    shown = layout_of(table, frame)
    true = layout_of(table, frame.with_columns(pl.col("true").alias("value")))
    status = layout_of(table, frame.with_columns(pl.col("status").alias("value")))
    sides = zip(shown.lines, true.lines, status.lines, strict=True)
    lines = [
        (line.codes, tuple(map(_cell, line.values, real.values, state.values)))
        for line, real, state in sides
    ]
    return TableView(shown.title, shown.down, shown.across, tuple(lines[:MOST_LINES]), len(lines))


def _cell(published: Any, true: Any, status: Any) -> CellView:
    if status is None:
        return CellView(None, None, "empty")
    return CellView(
        true if isinstance(true, float) else None,
        published if isinstance(published, float) else None,
        str(status),
    )
