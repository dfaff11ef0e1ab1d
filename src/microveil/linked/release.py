"""LinkedRelease: several protected tables, which leave together or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from microveil.display import Card, Shown, grid
from microveil.errors import InternalError, RequirementNotMetError
from microveil.files import WriteReport
from microveil.linked.keys import with_new_keys
from microveil.linked.links import in_table, n_orphans
from microveil.linked.recipe import LinkedRecipe
from microveil.linked.storing import database_url, store_in_database, store_in_folder
from microveil.metadata.describing import Content
from microveil.privacy import Check
from microveil.release.compacting import compact
from microveil.release.release import Release
from microveil.risk import Assessment, assess_table
from microveil.tables import Table
from microveil.texts import join

if TYPE_CHECKING:
    from microveil.registry import Registry, RegistryTerms


@dataclass(frozen=True, eq=False, repr=False)
class LinkedRelease(Shown):
    """Several protected tables with the checks of each and of their people.

    ``releases``, ``view`` and ``view_before`` are for inspection; ``data`` and ``write`` yield all
    tables, and only if every requirement of every table and of the people holds.
    """

    recipe: LinkedRecipe
    releases: Mapping[str, Release] = field(repr=False)
    """Each table by itself."""
    helpers: Mapping[str, str] = field(repr=False)
    """Columns that told people apart while steps ran, by table; they do not leave."""
    view: Table = field(repr=False)
    """One row for each person, with what can be known over all released tables."""
    view_before: Table = field(repr=False)
    """The same of the original tables."""
    people_checks: tuple[Check, ...]
    """The requirements on people."""
    _numbering: int = field(repr=False)
    """Decides the numbers of keys, and nothing else: the seed itself is not kept."""
    synthesis: Mapping[str, Any] = field(default_factory=dict)
    """Facts about synthetic tables: rows left out because they broke a rule whatever was drawn."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """All requirements: those on people, then those of each table."""
        own = [check for release in self.releases.values() for check in release.checks]
        return (*self.people_checks, *own)

    @property
    def holds(self) -> bool:
        """Whether every requirement holds."""
        return all(check.holds for check in self.checks)

    @cached_property
    def risk(self) -> Assessment:
        """Disclosure risk of people over all released tables."""
        return assess_table(self.view)

    @cached_property
    def risk_before(self) -> Assessment:
        """The same of the original tables."""
        return assess_table(self.view_before)

    @cached_property
    def data(self) -> dict[str, pl.DataFrame]:
        """The released tables by name; raises an error if a requirement is not met."""
        broken = [check.sentence() for check in self.checks if not check.holds]
        if broken:
            raise RequirementNotMetError(join(broken))
        frames = {name: self._leaving(name) for name in self.releases}
        frames = with_new_keys(self.recipe, frames, self._numbering)
        for link in self.recipe.links:
            if n_orphans(frames[link.table][link.column], frames[link.to][link.key]):
                raise InternalError("The release would hold orphans: link {link}.", link=str(link))
        return {name: compact(frame) for name, frame in frames.items()}

    def _leaving(self, name: str) -> pl.DataFrame:
        release = self.releases[name]
        helper = self.helpers.get(name)
        with in_table(name):
            may = [column for column in release.leaving_columns() if column != helper]
        return release.table.frame.select(may)

    def write(
        self,
        target: str | Path,
        *,
        suffix: str = "csv",
        registry: Registry | RegistryTerms | None = None,
        **options: Any,
    ) -> list[WriteReport]:
        """Write all tables, together or not at all, and read them back.

        ``target`` is a folder, which gets one file for each table, or a database (a ``.sqlite`` or
        ``.duckdb`` file, or a URL), in which primary and foreign keys are created. With a
        ``registry`` the release is noted there: written and noted, or neither.
        """
        if registry is not None:
            from microveil.linked.noting import write_noted

            return write_noted(self, target, registry, {"suffix": suffix, **options})[0]
        frames, url = self.data, database_url(target)
        if url is not None:
            return store_in_database(frames, self.recipe, url, options)
        return store_in_folder(frames, target, suffix, options)

    def contents(self, written: Sequence[WriteReport]) -> tuple[Content, ...]:
        """The tables on their way into metadata (:func:`microveil.describe_release`)."""
        reports = {Path(one.path).stem: one for one in written}
        keys: dict[str, dict[str, tuple[str, str] | None]] = {name: {} for name in self.releases}
        keys[self.recipe.people.table][self.recipe.people.key] = None
        for link in self.recipe.links:
            keys[link.to].setdefault(link.key, None)
            keys[link.table][link.column] = (link.to, link.key)
        return tuple(
            Content(
                name,
                self.releases[name].recipe,
                (*self.releases[name].original.columns, *frame.columns),
                frame,
                self.releases[name].labels,
                reports.get(name),
                keys[name],
            )
            for name, frame in self.data.items()
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: counts, checks and facts; no cell."""
        return {
            "n_people": self.view.height,
            "n_people_before": self.view_before.height,
            "checks": [check.to_dict() for check in self.checks],
            **({"synthesis": dict(self.synthesis)} if self.synthesis else {}),
            "tables": {
                name: {
                    "n_records": release.table.height,
                    "n_suppressed": release.n_suppressed,
                    "facts": [one.to_dict() for one in release.facts],
                }
                for name, release in self.releases.items()
            },
        }

    def card(self) -> Card:
        """Requirements and tables, without records."""
        state = "may leave" if self.holds else "may not leave"
        title = f"Release of {self.view.height:,} of {self.view_before.height:,} people; it {state}"
        rows = [
            (name, one.original.height, one.table.height) for name, one in self.releases.items()
        ]
        head = ("table", "rows before", "rows after")
        return Card(title, tuple(repr(check) for check in self.checks), (grid(head, rows),))
