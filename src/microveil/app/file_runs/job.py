"""What a run from file to file was asked to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microveil.files import Format, format_of
from microveil.progress import Progress
from microveil.recipes import Recipe


@dataclass(frozen=True, eq=False)
class FileJob:
    """A recipe, where the table comes from, and where everything goes."""

    recipe: Recipe
    source: str | Path
    out: str | Path
    report: str | Path | None
    mapping: str | Path | None
    seed: int | None = field(repr=False)
    keep_order: bool
    options: Mapping[str, Any]
    """How the source is read."""
    progress: Progress

    @property
    def data_only(self) -> bool:
        """Whether nothing but the protected table is wanted."""
        return self.report is None and self.mapping is None

    @property
    def source_format(self) -> Format:
        """Kind of the file or database that is read."""
        return format_of(self.source)

    @property
    def out_format(self) -> Format:
        """Kind of the file or database that is written."""
        return format_of(self.out)
