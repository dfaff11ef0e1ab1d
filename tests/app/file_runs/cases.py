"""A job from file to file, most of whose settings a test leaves open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import microveil as mv
from microveil.app.file_runs.job import FileJob
from microveil.app.file_runs.watch import Watch


def job_of(recipe: mv.Recipe, source: str | Path, out: str | Path, **more: Any) -> FileJob:
    usual: dict[str, Any] = {
        "keep_order": True,
        "progress": Watch(),
    }
    return FileJob(recipe=recipe, source=source, out=out, **{**usual, **more})
