"""A course over a small file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

import microveil as mv
from microveil.planning import Course, FileEngine


def engine_of(
    frame: pl.DataFrame, folder: Path, roles: mv.Roles | None = None, **more: Any
) -> FileEngine:
    path = folder / "source.parquet"
    frame.write_parquet(path)
    usual: dict[str, Any] = {"options": {}, "seed": 1, "memory_limit": 2**30, "folder": folder}
    return FileEngine(path, roles or mv.Roles(), **{**usual, **more})


def course_of(frame: pl.DataFrame, folder: Path, roles: mv.Roles | None = None) -> Course:
    engine = engine_of(frame, folder, roles)
    return Course(engine, engine.roles)
