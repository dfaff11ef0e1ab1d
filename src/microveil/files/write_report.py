"""What was written, and what was changed in the process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microveil.errors import quote


@dataclass(frozen=True)
class WriteReport:
    """What was written, and what was changed in the process."""

    path: str
    """Location of the table; a URL without its password."""
    format: str
    n_rows: int
    n_columns: int
    shuffled: bool
    """Whether the rows were written in random order."""
    n_neutralized: Mapping[str, int] = field(default_factory=dict)
    """Number of cells by column that got an apostrophe so that no spreadsheet executes them."""
    n_neutralized_names: int = 0
    """Number of column names likewise."""
    labels_dropped: tuple[str, ...] = ()
    """Columns whose value labels no longer fit their codes, or the format."""
    changed: tuple[str, ...] = ()
    """What else the format does not hold as it was given, one sentence each."""
    read_back: bool = False
    """Whether the rows were read back and found to be exactly the intended ones."""
    n_bytes: int | None = None
    """Size of a file that was read back."""
    sha256: str | None = None
    """Checksum of a file that was read back."""
    staged: Path | None = field(default=None, repr=False, compare=False)
    """Where the file is until it is placed."""

    def remarks(self) -> tuple[str, ...]:
        """What whoever releases the file should know about it, one sentence each."""
        lost = self.labels_dropped
        told = (f"The value labels of column {quote(lost)} were left out.",) if lost else ()
        return (*told, *self.changed)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "path": self.path,
            "format": self.format,
            "n_rows": self.n_rows,
            "n_columns": self.n_columns,
            "shuffled": self.shuffled,
            "n_neutralized": dict(self.n_neutralized),
            "n_neutralized_names": self.n_neutralized_names,
            "labels_dropped": list(self.labels_dropped),
            "changed": list(self.changed),
            "read_back": self.read_back,
            "n_bytes": self.n_bytes,
            "sha256": self.sha256,
        }
