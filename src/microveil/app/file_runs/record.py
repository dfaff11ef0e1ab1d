"""The record of a run: what was run on which data, and how it ended; no cell, seed or key."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from platform import python_version
from typing import TYPE_CHECKING, Any

from microveil.errors import FileError, MicroveilError
from microveil.files.folders import files_of, is_many, n_bytes_of
from microveil.files.formats import display_source
from microveil.files.reading_back import sha256
from microveil.files.sources import expand_home
from microveil.hierarchies.text_files import find
from microveil.methods.parts.fingerprints import fingerprint

if TYPE_CHECKING:
    from microveil.app.file_runs.job import FileJob
    from microveil.app.file_runs.result import FileRun
    from microveil.app.file_runs.watch import Watch
    from microveil.recipes import Recipe

FORMAT = 1
"""Version of this layout."""
UNMET = 3
"""Exit code of a run whose requirements do not hold."""


def record_of(
    job: FileJob, watch: Watch, started: datetime, ended: FileRun | BaseException
) -> dict[str, Any]:
    """Everything about a run that an auditor needs, as plain data.

    The seed and pseudonym keys appear as fingerprints: these show whether two runs used the same
    one, and nothing else unless the secret is short enough to be guessed.
    """
    checksum, source = recipe_sha256(job.recipe), _source(job)
    return {
        "format": FORMAT,
        "microveil": metadata.version("microveil"),
        "python": python_version(),
        "started": started.isoformat(timespec="seconds"),
        "seconds": round((datetime.now(UTC) - started).total_seconds(), 3),
        "peak_memory_bytes": peak_memory(),
        "dry_run": job.dry_run,
        "recipe": {"sha256": checksum, "files": dict(_files(job.recipe))},
        "input": source,
        "seed_fingerprint": _seed_fingerprint(job, checksum, source["sha256"]),
        "phases": [phase.to_dict() for phase in watch.phases],
        **_outcome(ended),
    }


def recipe_sha256(recipe: Recipe) -> str:
    """Checksum of a recipe's content, independent of the layout of its file.

    >>> from microveil.recipes import Recipe
    >>> one, other = Recipe.from_yaml("steps: []"), Recipe.from_yaml("{require: [], steps: []}")
    >>> recipe_sha256(one) == recipe_sha256(other)
    True
    """
    return hashlib.sha256(recipe.identity.encode()).hexdigest()


def _files(recipe: Recipe) -> Iterator[tuple[str, str]]:
    """Files named in the recipe (hierarchies, populations, schema), each with its checksum."""
    plain = recipe.to_dict()
    with recipe.beside_its_files():
        for text in sorted(set(_texts([plain["steps"], plain["require"], recipe.expect]))):
            path = find(text) if "." in text and "\n" not in text else None
            if path is not None and path.is_file():
                yield text, sha256(path)


def _texts(value: Any) -> Iterator[str]:
    """Texts in fields that may name a file; secret keys are not examined."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name not in ("key_file", "key_env", "columns", "column", "values"):
                yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str):
        yield value


def _source(job: FileJob) -> dict[str, Any]:
    """The input by its name and checksum; a database has no checksum."""
    path = expand_home(job.source) if "://" not in str(job.source) else Path()
    if is_many(job.source):
        return _files_together(job.source)
    is_file = path.is_file()
    return {
        "name": path.name if is_file else display_source(job.source),
        "sha256": sha256(path) if is_file else None,
        "n_bytes": path.stat().st_size if is_file else None,
    }


def _files_together(source: str | Path) -> dict[str, Any]:
    """A folder or a pattern: one checksum over the names and checksums of its files."""
    told: dict[str, Any] = {"name": expand_home(source).name, "sha256": None, "n_bytes": None}
    try:
        files = files_of(source)
    except FileError:  # why the run ended
        return told
    lines = "".join(f"{sha256(file)}  {file.name}\n" for file in files)
    whole = hashlib.sha256(lines.encode()).hexdigest()
    return told | {"sha256": whole, "n_bytes": n_bytes_of(source), "n_files": len(files)}


def _seed_fingerprint(job: FileJob, *about: str | None) -> str | None:
    """Comparable between runs of one recipe on one input; unrelated between others."""
    if job.seed is None:
        return None
    return fingerprint(str(job.seed).encode(), f"seed {' '.join(map(str, about))}")


def peak_memory() -> int | None:
    """Peak memory of this process so far, in bytes; None if unknown."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _outcome(ended: FileRun | BaseException) -> dict[str, Any]:
    if isinstance(ended, BaseException):
        ours = isinstance(ended, MicroveilError)
        code = ended.exit_code if isinstance(ended, MicroveilError) else 1
        # The message of a foreign exception may quote a cell.
        text = str(ended) if ours else None
        return {"exit_code": code, "error": {"kind": type(ended).__name__, "message": text}}
    return {
        "exit_code": 0 if ended.holds else UNMET,
        "holds": ended.holds,
        "checks": [check.to_dict() for check in ended.checks],
        "privacy_loss": ended.privacy_loss,
        "warnings": [*map(str, ended.cautions), *ended.warnings],
        "cautions": [caution.to_dict() for caution in ended.cautions],
        "n_records": ended.n_records,
        "n_suppressed": ended.n_suppressed,
        "steps": [_step(one.method, one.facts) for one in ended.facts],
        "written": [
            {"path": one.path, "n_rows": one.n_rows, "n_bytes": one.n_bytes, "sha256": one.sha256}
            for one in ended.written
        ],
    }


def _step(method: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    found = facts.get("key_fingerprint")
    return {"method": method} | ({} if found is None else {"key_fingerprint": found})
