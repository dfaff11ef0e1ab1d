"""Make tables from a file, and write them if nobody is given away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from microveil.files import read
from microveil.progress import Progress, silent
from microveil.reports.contents.tables import write_tables
from microveil.tabulation.losses import LevelLoss, losses_by_level
from microveil.tabulation.plan import TablePlan
from microveil.tabulation.tables import ProtectedTables


@dataclass(frozen=True, eq=False)
class TableRun:
    """What was made, and where it was written."""

    made: ProtectedTables
    written: tuple[Path, ...]

    @property
    def losses(self) -> list[LevelLoss]:
        """What was lost by level."""
        return losses_by_level(self.made)

    def to_dict(self) -> dict[str, Any]:
        """Plain data: numbers of cells, shares of the value, files."""
        return {
            "holds": self.made.holds,
            "families": self.made.facts,
            "levels": [one._asdict() for one in self.losses],
            "written": [str(path) for path in self.written],
        }


def tabulate_file(
    plan: TablePlan,
    source: str | Path,
    out: str | Path | None,
    *,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    progress: Progress = silent,
) -> TableRun:
    """Make the tables of a plan from a file; nothing is written if the audit fails."""
    given = {name: value for name, value in (options or {}).items() if value is not None}
    reading = ({"reading": plan.reading} if plan.reading else {}) | given
    made = plan.make(read(source, **reading), seed=seed, progress=progress)
    written = write_tables(made, out) if out is not None and made.holds else []
    return TableRun(made, tuple(written))
