"""Release: data with the evidence for publishing them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from microveil.errors import RequirementNotMetError
from microveil.files import WriteReport, format_of, write
from microveil.files.formats import shown
from microveil.measures.choosing import chosen
from microveil.measures.taking import take
from microveil.privacy import Check, reached
from microveil.recipes import Recipe
from microveil.release.export_rules import forget_categories, refuse_undeclared
from microveil.release.verifying import checked
from microveil.risk import Assessment, assess_table
from microveil.scores import Score
from microveil.tables import Door, Table
from microveil.utility import UTILITY_MEASURES

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, eq=False)
class StepFacts:
    """What one step did: plain numbers and column names, never a cell's value."""

    method: str
    facts: Mapping[str, Any]
    perturbative: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"method": self.method, **self.facts}


@dataclass(frozen=True, eq=False)
class Release:
    """A protected table with its recipe, checks and facts; it yields data only if all checks hold.

    ``original`` and ``table`` are there to look at; ``data`` and ``write`` are the way out.
    """

    recipe: Recipe
    original: Table
    table: Table
    checks: tuple[Check, ...]
    facts: tuple[StepFacts, ...]
    parts: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    """Further tables of the release, written beside the first one."""
    secrets: Mapping[str, pl.DataFrame] = field(default_factory=dict, repr=False)
    """Tables to keep apart, such as a pseudonym's mapping; ``write`` never writes them."""
    door: Door | None = field(default=None, repr=False)

    @property
    def holds(self) -> bool:
        """Whether every requirement is met."""
        return all(check.holds for check in self.checks)

    @property
    def data(self) -> Any:
        """The released data, as the kind of frame that came in, numbered anew.

        Raises :class:`~microveil.errors.RequirementNotMetError` when a requirement is broken.
        """
        frame = self._released_frame()
        if self.recipe.undeclared == "drop":
            frame = self.exportable()
        if self.table.rows is not None:
            frame = forget_categories(frame)
        if self.door is None:
            return frame
        return self.door.back(frame, self.table.rows, keep_index=False)

    @property
    def rows(self) -> np.ndarray[Any, np.dtype[np.int64]] | None:
        """Position in the original of each released row; none while all are there in order."""
        return self.table.rows

    @cached_property
    def risk(self) -> Assessment:
        """Disclosure risk of the result."""
        return assess_table(self.table, missing=self.recipe.reading, models=reached)

    @cached_property
    def risk_before(self) -> Assessment:
        """Disclosure risk of the original."""
        return assess_table(self.original, missing=self.recipe.reading, models=reached)

    @cached_property
    def utility(self) -> Mapping[str, Score]:
        """What the protection cost, by the quick measures that suit the columns there are.

        :func:`microveil.compare` takes those that fit models, too.
        """
        scores, _ = take(
            [measure for measure in chosen("default", UTILITY_MEASURES) if measure.quick],
            lambda measure: measure.measure(self.original, self.table),
            asked=False,
        )
        return scores

    @property
    def n_suppressed(self) -> int:
        """Records of the original that are not in the result."""
        return self.original.height - self.table.height if self.table.linked else 0

    def require_all(self) -> None:
        """Raise unless every requirement is met."""
        broken = [check.sentence() for check in self.checks if not check.holds]
        if broken:
            raise RequirementNotMetError(
                f"{' '.join(broken)} Add a step, or look at the unsafe result in `release.table`."
            )

    def write(self, path: str | Path, *, keep_order: bool = False, **options: Any) -> WriteReport:
        """Write the data, and parts beside them; nothing if a requirement is broken.

        A file is read again, and appears only when the requirements hold in it, too. ``options``
        are those of :func:`microveil.write`.
        """
        return self.write_all(path, keep_order=keep_order, **options)[0]

    def write_all(
        self, path: str | Path, *, keep_order: bool = False, **options: Any
    ) -> tuple[WriteReport, ...]:
        """Write like :meth:`write`; what became of the data comes back first, then of each part."""
        frame = self.exportable()
        with checked(self.recipe, self.table, path) as place:
            main = write(
                frame, place, format=format_of(path).name, keep_order=keep_order, **options
            )
        parts = [
            write(part, part_path(path, name), keep_order=keep_order)
            for name, part in self.parts.items()
        ]
        return (replace(main, path=shown(path)), *parts)

    def report(
        self,
        path: str | Path,
        *,
        audience: Literal["internal", "public"] = "internal",
        written: WriteReport | None = None,
    ) -> Path:
        """Write the report of this release as one HTML or JSON file.

        ``written`` is what :meth:`write` returned: the report then says what became of the file.
        """
        from importlib import import_module

        # The report reads a release; naming it as text keeps the layers pointing downward.
        reports = import_module("microveil.reports")
        place: Path = reports.write_report(self, Path(path), audience=audience, written=written)
        return place

    def exportable(self) -> pl.DataFrame:
        """The data that may be written: requirements met, and every column decided about."""
        frame = refuse_undeclared(self.recipe, self._released_frame(), self.original)
        return forget_categories(frame)

    def _released_frame(self) -> pl.DataFrame:
        self.require_all()
        return self.table.frame


def part_path(path: str | Path, name: str) -> Path:
    """Where a further table of a release goes: beside the first, its name before the suffix.

    >>> part_path("out.csv", "diagnoses").name
    'out.diagnoses.csv'
    """
    path = Path(path)
    return path.with_name(f"{path.stem}.{name}{path.suffix}")
