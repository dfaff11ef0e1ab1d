"""Run a recipe from folder to folder with Spark."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from microveil.app.running import check_requirements
from microveil.recipes import Recipe


def run_spark_file(
    recipe: Recipe,
    source: str | Path,
    out: str | Path,
    *,
    seed: int | None = None,
    master: str | None = None,
    keep_order: bool = False,
    memory_limit: str | int | None = None,
) -> dict[str, Any]:
    """Apply a recipe to a Parquet or CSV file, or a folder of them, and write a new folder.

    Nothing is written unless every requirement holds; after writing, all are checked again on the
    files. Returns plain data, as printed by ``microveil run --json``.
    """
    from microveil.spark import run_on_spark, spark_session
    from microveil.spark.release import refuse_filled
    from microveil.spark.running import read_on_spark

    started = time.perf_counter()
    check_requirements(recipe)
    refuse_filled(Path(out))
    session = spark_session(master)
    frame = read_on_spark(session, source)
    release = run_on_spark(recipe, frame, seed=seed, memory_limit=memory_limit)
    written = release.write(out, keep_order=keep_order)
    return {
        "holds": release.holds,
        "checks": [check.to_dict() for check in release.checks],
        "n_records": written["n_rows"],
        "n_suppressed": release.original.height - written["n_rows"],
        "facts": [facts.to_dict() for facts in release.facts],
        "written": [dict(written)],
        "engine": "spark",
        "seconds": round(time.perf_counter() - started, 3),
    }
