"""Is this file what we released? By its bytes, or by its rows in whatever order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from microveil.errors import FileError, MicroveilError
from microveil.files import read
from microveil.files.reading_back import sha256
from microveil.registry.entries import ReleaseEntry
from microveil.registry.keyed_hashes import content_sha256
from microveil.registry.registry import Registry
from microveil.texts import Message


@dataclass(frozen=True)
class Recognised:
    """The release that a file is, if it is one."""

    file: str
    release: ReleaseEntry | None
    by: Literal["bytes", "rows"] | None = None

    @property
    def holds(self) -> bool:
        """Whether it was released."""
        return self.release is not None

    def sentence(self) -> str:
        """The result in words."""
        one = self.release
        if one is None:
            return Message(
                "recognised.not",
                "{file} is not among the releases of this registry.",
                file=self.file,
            )
        told: dict[str, Any] = {"file": self.file, "id": one.id, "day": one.at[:10]}
        if self.by == "bytes":
            return Message(
                "recognised.bytes",
                "{file} was released as {id} on {day}. It is this file, byte by byte.",
                **told,
            )
        return Message(
            "recognised.rows",
            "{file} was released as {id} on {day}. Its rows are the same, in another order or "
            "format.",
            **told,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        found = self.release
        return {
            "file": self.file,
            "holds": self.holds,
            "by": self.by,
            "release": None if found is None else found.id,
            "sentence": self.sentence(),
        }


def recognise(registry: Registry, file: str | Path) -> Recognised:
    """Look for a file among the releases."""
    path = Path(file).expanduser()
    if not path.exists():
        raise FileError("There is no file {path}.", path=path)
    entries = registry.releases()
    own = sha256(path)
    for entry in reversed(entries):
        if any(one.sha256 == own for one in entry.outputs):
            return Recognised(path.name, entry, "bytes")
    known = {
        one.content_sha256: entry
        for entry in entries
        for one in entry.outputs
        if one.content_sha256 is not None
    }
    try:
        rows = content_sha256(read(path)) if known else ""
    except MicroveilError:  # no table that can be read
        rows = ""
    return Recognised(path.name, known.get(rows), "rows" if rows in known else None)
