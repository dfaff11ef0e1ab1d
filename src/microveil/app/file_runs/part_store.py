"""PartStore: finished parts of a resumable run, each verified when read.

A resumed run must be the same run: recipe, source and seed are identified by a keyed digest, so
that the seed itself is never on disk.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from microveil.app.file_runs.tally import Done
from microveil.errors import InputError
from microveil.files.folders import files_of
from microveil.files.reading_back import sha256
from microveil.files.sources import expand_home
from microveil.methods.parts.streams import data_fingerprint
from microveil.specs import identity_of
from microveil.tables import Roles

if TYPE_CHECKING:
    from microveil.app.file_runs.job import FileJob
    from microveil.planning import FileEngine


@dataclass(frozen=True)
class PartStore:
    """A folder next to the target; None if the run is not resumable."""

    folder: Path | None
    run: str = ""
    """Digest that identifies the run."""

    @classmethod
    def of(cls, job: FileJob, engine: FileEngine) -> PartStore:
        """The store of a job; parts of another run are removed."""
        if not job.resume:
            return cls(None)
        if job.seed is None:
            raise InputError(
                "A run that can be resumed needs a seed, so that its parts belong together. Give "
                "one, and keep it secret."
            )
        out = Path(job.out)
        folder = out.with_name(f".{out.name}.resume")
        store = cls(folder, _digest(job, engine))
        if folder.exists() and _read_json(folder / "run.json").get("run") != store.run:
            shutil.rmtree(folder)
        folder.mkdir(mode=0o700, exist_ok=True)
        _write_json(folder / "run.json", {"run": store.run})
        return store

    def find(self, number: int, part: pl.DataFrame) -> Done | None:
        """The part as finished before, if its file is intact; otherwise None."""
        if self.folder is None:
            return None
        told = _read_json(self.folder / f"{number}.json")
        file = self.folder / f"{number}.parquet"
        if not told or not file.is_file() or sha256(file) != told["sha256"]:
            return None
        if told["part"] != data_fingerprint(part).hex():
            return None
        roles = Roles.parse(told["roles"])
        return Done(pl.read_parquet(file), told["facts"], told["lost"], roles)

    def keep(self, number: int, part: pl.DataFrame, done: Done) -> None:
        """Store a finished part; it is valid once its description is written."""
        if self.folder is None:
            return
        file = self.folder / f"{number}.parquet"
        done.frame.write_parquet(file, row_group_size=1 << 17)
        file.chmod(0o600)
        _write_json(
            self.folder / f"{number}.json",
            {
                "sha256": sha256(file),
                "part": data_fingerprint(part).hex(),
                "facts": list(done.facts),
                "lost": dict(done.lost),
                "roles": done.roles.to_dict(),
            },
        )

    def remove(self) -> None:
        """Remove the parts once the target is complete."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


def _digest(job: FileJob, engine: FileEngine) -> str:
    seed = job.seed or 0
    stats = [(str(file), file.stat()) for file in files_of(job.source)]
    told = identity_of(
        [
            job.recipe.to_dict(),
            str(expand_home(job.source)),
            [(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats],
            dict(job.options),
            engine.table.schema.names(),
        ]
    )
    key = hashlib.blake2b(str(seed).encode()).digest()
    return hashlib.blake2b(told.encode(), key=key, digest_size=16).hexdigest()


def _read_json(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return told
    return {}


def _write_json(path: Path, told: dict[str, Any]) -> None:
    scratch = path.with_suffix(".partial")
    descriptor = os.open(scratch, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(told, file, default=_plain)
    scratch.replace(path)


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else list(value)
