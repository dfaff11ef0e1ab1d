"""Make tables from a file, and write them if nobody is given away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from microveil.files import read
from microveil.files.folders import n_bytes_of
from microveil.files.formats import source_format
from microveil.files.placing import Placing
from microveil.files.reading_back import sha256
from microveil.progress import Progress, silent
from microveil.registry.leaving import name_source
from microveil.registry.records.recording import write_record
from microveil.registry.registering import RegistryTerms
from microveil.registry.tabling import TableRegistration, record_tables
from microveil.reports.contents.tables import write_tables
from microveil.tabulation.losses import LevelLoss, losses_by_level
from microveil.tabulation.plan import TablePlan
from microveil.tabulation.sources.opening import open_records
from microveil.tabulation.tables import ProtectedTables

LARGE = 64 * 2**20
"""Files from this many bytes on, and databases, are read in parts."""


@dataclass(frozen=True, eq=False)
class TableRun:
    """What was made, and where it was written."""

    made: ProtectedTables
    written: tuple[Path, ...]
    registered: TableRegistration | None = None

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
            **self._tell_registered(),
        }

    def _tell_registered(self) -> dict[str, Any]:
        noted = self.registered
        if noted is None or noted.entry is None:
            return {}
        return {"registered": {"id": noted.entry.id, "sentence": noted.sentence()}}


def tabulate_file(  # noqa: PLR0913  all but three are the caller's to leave open
    plan: TablePlan,
    source: str | Path,
    out: str | Path | None,
    *,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    progress: Progress = silent,
    registry: RegistryTerms | None = None,
    record: str | Path | None = None,
    made_by: str | None = None,
) -> TableRun:
    """Make the tables of a plan from a file; nothing is written if the audit fails.

    With a ``registry`` they are compared with what was published of the source before, and noted:
    registered and written, or neither. ``record`` is the target for the rules and their results.
    """
    given = {name: value for name, value in (options or {}).items() if value is not None}
    reading = ({"reading": plan.reading} if plan.reading else {}) | given
    made = plan.make(_records(plan, source, reading), seed=seed, progress=progress)
    terms = name_source(registry, source, made_by)
    if out is None or not made.holds:
        return TableRun(made, ())
    run = publish_tables(plan, made, out, terms)
    if record is not None:
        _write_record(record, plan, made, source, run.written, made_by)
    return run


def _records(plan: TablePlan, source: str | Path, reading: dict[str, Any]) -> Any:
    """The records of a file: in parts where it is large, which gives the same cells."""
    small = source_format(source).database is False and n_bytes_of(source) < LARGE
    if small or any(table.cells is not None for table in plan.tables):
        return read(source, **reading)
    return open_records(source, plan.roles, options=reading)


def publish_tables(
    plan: TablePlan, made: ProtectedTables, out: str | Path, terms: RegistryTerms | None = None
) -> TableRun:
    """Write tables that may be published, and note them in a registry: both or neither."""
    noted = None if terms is None else TableRegistration.of(terms, plan, made)
    with Placing() as placing:
        written = write_tables(made, out, placing)
        if noted is not None:
            noted.note(placing.waiting())
            placing.tell(noted)
    return TableRun(made, tuple(written), noted)


def _write_record(
    place: str | Path,
    plan: TablePlan,
    made: ProtectedTables,
    source: str | Path,
    written: Sequence[Path],
    made_by: str | None,
) -> None:
    path = Path(source).expanduser()
    plain = record_tables(plan, made, sha256(path) if path.is_file() else None, written, made_by)
    write_record(plain, place)
