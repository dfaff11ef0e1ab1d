"""LinkedRelease: several protected tables, which leave together or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from microveil.display import Card, Shown, grid
from microveil.errors import InputError, InternalError, RequirementNotMetError
from microveil.files import WriteReport
from microveil.linked.keys import with_new_keys
from microveil.linked.links import in_table, key_frame, key_parts, n_orphans, parents_first
from microveil.linked.memory import give_back
from microveil.linked.recipe import LinkedRecipe, key_columns
from microveil.linked.storing import database_url, store_in_database, store_in_folder
from microveil.metadata.describing import Content
from microveil.privacy import Check
from microveil.release.compacting import compact
from microveil.release.release import Release
from microveil.risk import Assessment
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
    people: Release = field(repr=False)
    """One row for each person, with what can be known over all tables: before and after, with the
    requirements on people."""
    _numbering: int = field(repr=False)
    """Decides the numbers of keys, and nothing else: the seed itself is not kept."""
    synthesis: Mapping[str, Any] = field(default_factory=dict)
    """Facts about synthetic tables: rows left out because they broke a rule whatever was drawn."""

    @property
    def view(self) -> Table:
        """One row for each person, with what can be known over all released tables."""
        return self.people.table

    @property
    def view_before(self) -> Table:
        """The same of the original tables."""
        return self.people.original

    @property
    def people_checks(self) -> tuple[Check, ...]:
        """The requirements on people."""
        return self.people.checks

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
        return self.people.risk

    @cached_property
    def risk_before(self) -> Assessment:
        """The same of the original tables."""
        return self.people.risk_before

    @cached_property
    def data(self) -> dict[str, pl.DataFrame]:
        """The released tables by name; raises an error if a requirement is not met."""
        return {name: compact(frame) for name, frame in self._tables(list(self.releases))}

    def _tables(self, names: Sequence[str]) -> Iterator[tuple[str, pl.DataFrame]]:
        """The released tables one by one, so that one at a time is in memory once more.

        Whatever forbids them to leave is found before the first.
        """
        leaving = self.require_all()
        keys = {
            name: self.releases[name].table.frame.select(key_columns(self.recipe, name))
            for name in leaving
        }
        keys = with_new_keys(self.recipe, keys, self._numbering)
        for link in self.recipe.links:
            child = key_frame(keys[link.table], link.columns)
            if n_orphans(child, key_frame(keys[link.to], link.keys)):
                raise InternalError("The release would hold orphans: link {link}.", link=str(link))
        give_back()
        return (
            (name, self.releases[name].table.frame.select(leaving[name]).with_columns(keys[name]))
            for name in names
        )

    def require_all(self) -> dict[str, list[str]]:
        """The columns that leave, by table; an error unless every requirement is met."""
        broken = [check.sentence() for check in self.checks if not check.holds]
        if broken:
            raise RequirementNotMetError(join(broken))
        return {name: self._leaving(name) for name in self.releases}

    def _leaving(self, name: str) -> list[str]:
        release = self.releases[name]
        helper = self.helpers.get(name)
        with in_table(name):
            return [column for column in release.leaving_columns() if column != helper]

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
        url, tables = (
            database_url(target),
            self._tables(parents_first(list(self.releases), self.recipe.links)),
        )
        if url is not None:
            return store_in_database(tables, self.recipe, url, options)
        return store_in_folder(tables, target, suffix, options)

    def report(
        self,
        path: str | Path,
        *,
        audience: Literal["internal", "public"] = "internal",
        written: Sequence[WriteReport] = (),
        source: str | None = None,
        made_by: str | None = None,
        language: str = "en",
    ) -> Path:
        """Write the report as one HTML, PDF or JSON file: people first, then each table.

        ``written`` is what :meth:`write` returned: the report then has the checksum of each file.
        """
        from microveil.linked.reporting import write_linked_report

        return write_linked_report(
            self,
            path,
            audience=audience,
            written=written,
            source=source,
            made_by=made_by,
            language=language,
        )

    def by_table(self, written: Sequence[WriteReport]) -> dict[str, WriteReport]:
        """What was written, by table: in the order in which :meth:`write` writes them."""
        order = parents_first(list(self.releases), self.recipe.links)
        return dict(zip(order, written, strict=False))

    def contents(self, written: Sequence[WriteReport]) -> tuple[Content, ...]:
        """The tables on their way into metadata (:func:`microveil.describe_release`)."""
        reports = self.by_table(written)
        keys: dict[str, dict[str, tuple[str, str] | None]] = {name: {} for name in self.releases}
        keys[self.recipe.people.table] |= dict.fromkeys(key_parts(self.recipe.people.key))
        for link in self.recipe.links:
            for column, key in zip(link.columns, link.keys, strict=True):
                keys[link.to].setdefault(key, None)
                keys[link.table][column] = (link.to, key)
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
        state, refusal = "may leave", tuple[str, ...]()
        try:
            self.require_all()
        except RequirementNotMetError:
            state = "may not leave"
        except InputError as error:
            state, refusal = "may not leave", (error.message,)
        title = f"Release of {self.view.height:,} of {self.view_before.height:,} people; it {state}"
        rows = [
            (name, one.original.height, one.table.height) for name, one in self.releases.items()
        ]
        head = ("table", "rows before", "rows after")
        lines = (*(repr(check) for check in self.checks), *refusal)
        return Card(title, lines, (grid(head, rows),))
