"""The result of a run from file to file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from microveil.files import WriteReport
from microveil.privacy import Check
from microveil.release.cautions import Caution
from microveil.release.release import StepFacts
from microveil.risk import Assessment
from microveil.scores import Score
from microveil.tabulation.tables import ProtectedTables


class Measured(Protocol):
    """Measures of a result, each computed on request."""

    @property
    def utility(self) -> Mapping[str, Score]:
        """What the protection cost."""

    @property
    def cell_changes(self) -> Score:
        """Share of cells that changed."""

    def assess_before(self, *, models: bool) -> Assessment:
        """Disclosure risk of the original."""

    def assess_after(self, *, models: bool) -> Assessment:
        """Disclosure risk of the result."""


@dataclass(frozen=True, eq=False)
class FileRun:
    """The result of a run from file to file; the data themselves are in the file, or nowhere."""

    checks: tuple[Check, ...]
    facts: tuple[StepFacts, ...]
    n_records: int
    """Number of records written, or that would have been."""
    n_suppressed: int
    measured: Measured = field(repr=False)
    written: tuple[WriteReport, ...] = ()
    """The files; none if a requirement is not met."""
    warnings: tuple[str, ...] = ()
    """What the requirements do not cover: released columns that reveal a key's original values."""
    cautions: tuple[Caution, ...] = ()
    """What the requirements leave open, and keys that say nothing any more."""
    mends: str = ""
    """Which step would fix the requirements that fail, in a sentence."""
    privacy_loss: Mapping[str, Any] | None = None
    """ε and δ of steps with differential privacy, what they cover and what they do not."""
    registered: Mapping[str, Any] | None = None
    """What the registry noted, and what the release tells together with earlier ones."""
    tables: ProtectedTables | None = None
    """The tables that were published with the records."""
    tables_written: tuple[Path, ...] = ()
    """Their files."""
    in_parts: bool = False
    """Whether the file was processed in parts."""
    seconds: float = 0.0

    @property
    def holds(self) -> bool:
        """Whether every requirement is met, so that a file was written."""
        return all(check.holds for check in self.checks)

    @cached_property
    def before(self) -> Assessment:
        """Disclosure risk of the original."""
        return self.measured.assess_before(models=True)

    @cached_property
    def after(self) -> Assessment:
        """Disclosure risk of the result."""
        return self.measured.assess_after(models=True)

    @cached_property
    def outline(self) -> tuple[Assessment, Assessment]:
        """Class sizes of the original and the result, without what is more costly to compute."""
        return self.measured.assess_before(models=False), self.measured.assess_after(models=False)

    @property
    def utility(self) -> Mapping[str, Score]:
        """What the protection cost."""
        return self.measured.utility

    @property
    def cell_changes(self) -> Score:
        """Share of cells that changed."""
        return self.measured.cell_changes

    def _tell_tables(self) -> dict[str, Any]:
        families = [] if self.tables is None else self.tables.facts
        return {"families": families, "written": [str(path) for path in self.tables_written]}

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without any cell values.

        If a requirement is not met, class sizes are all that is measured: nothing was released
        whose utility could matter, and whoever waits wants to know what failed.
        """
        before, after = (self.before, self.after) if self.holds else self.outline
        utility = self.utility if self.holds else {}
        return {
            "holds": self.holds,
            "checks": [check.to_dict() for check in self.checks],
            **({"mends": self.mends} if self.mends else {}),
            "warnings": [*map(str, self.cautions), *self.warnings],
            "cautions": [caution.to_dict() for caution in self.cautions],
            "n_records": self.n_records,
            "n_suppressed": self.n_suppressed,
            "facts": [facts.to_dict() for facts in self.facts],
            "risk": {**_without_values(after), "before": _without_values(before)},
            "utility": {name: score.value for name, score in utility.items()},
            "utility_details": {name: score.to_dict() for name, score in utility.items()},
            **({} if self.privacy_loss is None else {"privacy_loss": dict(self.privacy_loss)}),
            **({} if self.registered is None else {"registry": dict(self.registered)}),
            **({} if self.tables is None else {"tables": self._tell_tables()}),
            "written": [report.to_dict() for report in self.written],
            "in_parts": self.in_parts,
            "seconds": round(self.seconds, 3),
        }


def _without_values(assessment: Assessment) -> dict[str, Any]:
    """An assessment without the values of its classes."""
    plain = assessment.to_dict()
    plain["worst"] = [{k: v for k, v in worst.items() if k != "values"} for worst in plain["worst"]]
    return plain
