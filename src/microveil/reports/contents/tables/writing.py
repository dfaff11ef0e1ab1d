"""Write protected tables: all files, or none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from microveil.errors import InputError
from microveil.files import write, write_text
from microveil.files.placing import Placing
from microveil.files.writing import Terms
from microveil.reports.contents.tables.layout import layout_of
from microveil.reports.contents.tables.page import tables_page
from microveil.reports.contents.tables.workbook import write_workbook
from microveil.specs import Spec
from microveil.tabulation.losses import losses_by_level
from microveil.tabulation.tables import ProtectedTables


def write_tables(
    made: ProtectedTables, out: str | Path, placing: Placing | None = None
) -> list[Path]:
    """Write tables as XLSX, HTML, CSV (one table), or a folder with all three.

    Nothing is written while the audit finds a cell that gives somebody away.
    """
    frames, out = made.frames, Path(out)
    with _together(placing) as group:
        kind = out.suffix.lower()
        if kind == ".xlsx":
            return [_workbook(made, out, group)]
        if kind in {".html", ".htm"}:
            return [_page(made, out, group)]
        if kind == ".csv":
            if len(frames) > 1:
                raise InputError(
                    "A CSV file holds one table, and there are {n}: name a folder or a .xlsx file.",
                    n=len(frames),
                )
            return [_csv(next(iter(frames.values())), out, group)]
        if kind:
            raise InputError(
                "{out}: tables are written as .xlsx, .html, .csv, or to a folder.", out=out
            )
        out.mkdir(parents=True, exist_ok=True)
        stems = _stems(list(frames))
        return [
            *(_csv(frame, out / f"{stems[name]}.csv", group) for name, frame in frames.items()),
            _workbook(made, out / "tables.xlsx", group),
            _page(made, out / "tables.html", group),
        ]


@contextmanager
def _together(placing: Placing | None) -> Iterator[Placing]:
    if placing is not None:
        yield placing
        return
    with Placing() as group:
        yield group


def _csv(frame: pl.DataFrame, path: Path, placing: Placing) -> Path:
    """Codes, value, and whether the cell is confidential: not why it is."""
    shown = frame.with_columns(
        pl.when(pl.col("value").is_null())
        .then(pl.lit("confidential"))
        .otherwise(pl.lit("published"))
        .alias("status")
    )
    write(shown, path, keep_order=True, terms=Terms(placing))
    return path


def _workbook(made: ProtectedTables, path: Path, placing: Placing) -> Path:
    frames = made.frames
    layouts = [
        layout_of(table, frames[table.tabulation.title]) for _, table in made.published_tables()
    ]
    write_workbook(placing.file(path), layouts, protection_notes(made))
    return path


def _page(made: ProtectedTables, path: Path, placing: Placing) -> Path:
    frames = made.frames
    layouts = [
        layout_of(table, frames[table.tabulation.title]) for _, table in made.published_tables()
    ]
    write_text(tables_page(layouts, losses_by_level(made), protection_notes(made)), path, placing)
    return path


def protection_notes(made: ProtectedTables) -> list[tuple[str, str]]:
    """What may be said of the protection: rules without the parameters that help an intruder."""
    notes = [(f"rule: {rule.kind()}", _public(rule)) for rule in made.rules]
    if made.protection is not None:
        notes.append((f"protection: {made.protection.kind()}", made.protection.summary()))
    for facts in made.facts:
        title = "; ".join(facts["tables"])
        n_hidden = (
            facts["n_unsafe"] + facts["n_secondary"]
            if facts["n_published"] < facts["n_cells"]
            else 0
        )
        notes.append(("cells", f"{title}: {facts['n_cells']:,}, confidential {n_hidden:,}"))
        notes.append(("share of the value published", f"{facts['value_share']:.1%}"))
    notes.append(("sign", "c: confidential"))
    return notes


def _public(rule: Spec) -> str:
    told = [f"{name} = {getattr(rule, name)}" for name in rule.public_parameters]
    return rule.summary() if not told else f"{rule.summary()} ({', '.join(told)})"


def _stems(titles: list[str]) -> dict[str, str]:
    """A file name for each table."""
    found: dict[str, str] = {}
    for title in titles:
        plain = re.sub(r"[^\w-]+", "_", title).strip("_")[:80] or "table"
        stem, number = plain, 2
        while stem.lower() in {one.lower() for one in found.values()}:
            stem, number = f"{plain}_{number}", number + 1
        found[title] = stem
    return found
