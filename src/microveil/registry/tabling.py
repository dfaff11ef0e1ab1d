"""Published tables on their way into the registry, and their record.

Counts are compared with what was published of the same source before: cells that differ by a few
people give those few away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microveil.files.reading_back import sha256
from microveil.registry.entries import Output, ReleaseEntry
from microveil.registry.published_tables import (
    Differences,
    PublishedTable,
    difference_tables,
    difference_with_release,
    hash_table,
    pack_tables,
    unpack_tables,
)
from microveil.registry.records.recording import make_record
from microveil.registry.registering import NotedFiles, RegistryTerms
from microveil.registry.signatures import Signatures
from microveil.tabulation.plan import TablePlan
from microveil.tabulation.tables import ProtectedTables
from microveil.texts import Message

FEWEST = 3
"""People that a difference must have where no rule says more: the default rule's number."""


@dataclass(eq=False)
class TableRegistration(NotedFiles):
    """Tables that are compared before they are written, and noted when they are."""

    terms: RegistryTerms
    plan: TablePlan
    made: ProtectedTables
    tables: tuple[PublishedTable, ...]
    differences: Mapping[str, tuple[Differences, ...]] = field(default_factory=dict)
    """Cells that differ by few from what was published before, by publication."""
    entry: ReleaseEntry | None = None
    outputs: tuple[Output, ...] = ()

    @classmethod
    def of(cls, terms: RegistryTerms, plan: TablePlan, made: ProtectedTables) -> TableRegistration:
        """Hash the counts, and compare them with earlier tables and releases of the source."""
        hashes, frames = terms.registry.hashes, made.frames
        tables = tuple(
            hash_table(
                hashes, frames[one.tabulation.title], one.tabulation.by, one.tabulation.total_code
            )
            for _, one in made.published_tables()
            if one.tabulation.shown_statistic == "count"
        )
        found = cls(terms, plan, made, tables)
        found.differences = found._compare()
        return found

    @property
    def n_small(self) -> int:
        """Cells that differ by few."""
        return sum(one.n_small for some in self.differences.values() for one in some)

    def sentence(self) -> str:
        """What the tables tell together with what was published before."""
        if not self.differences:
            return Message(
                "across.no_tables",
                "Nothing was published of this source before that could be compared.",
            )
        if not self.n_small:
            return Message(
                "across.tables_hold",
                "No count differs by few from what was published of this source before.",
            )
        return Message(
            "across.tables_differ",
            "1 count differs by fewer than {k} from what was published of this source before: the "
            "difference shows these few.",
            many="{n:,} counts differ by fewer than {k} from what was published of this source "
            "before: the difference shows these few.",
            n=self.n_small,
            k=self._k(),
        )

    def _k(self) -> int:
        asked = [getattr(rule, "n", None) for rule in self.made.rules]
        return max([FEWEST, *(one for one in asked if isinstance(one, int))])

    def _compare(self) -> dict[str, tuple[Differences, ...]]:
        found: dict[str, tuple[Differences, ...]] = {}
        registry, k = self.terms.registry, self._k()
        for entry in registry.releases():
            packed = registry.signatures(entry)
            if entry.source != self.terms.source or packed is None:
                continue
            name = f"{entry.id} {entry.title}"
            if entry.kind in ("tables", "outputs"):
                earlier = unpack_tables(packed)
                found[name] = tuple(
                    difference_tables(one, other, k) for one in self.tables for other in earlier
                )
            elif entry.kind in ("microdata", "linked"):
                signed = Signatures.unpack(packed)
                found[name] = tuple(difference_with_release(one, signed, k) for one in self.tables)
        return found

    def note(self, waiting: Mapping[Path, Path]) -> None:
        """Say which files are about to be placed: scratch files by their targets."""
        self.outputs = tuple(
            Output(shown.name, sha256(made), target=str(shown.expanduser().resolve()))
            for shown, made in waiting.items()
        )

    def begin(self) -> None:
        """Note what is about to be written."""
        text, terms = self.plan.to_yaml(), self.terms
        entry = ReleaseEntry(
            id="",
            at="",
            kind="tables",
            source=terms.source,
            audience=terms.audience,
            made_by=terms.made_by,
            recipe=text,
            recipe_sha256=hashlib.sha256(text.encode()).hexdigest(),
            requirements=tuple(rule.to_dict() for rule in self.made.rules),
            checks=tuple(checks_of(self.made)),
            input_sha256=terms.input_sha256,
            outputs=self.outputs,
            composition={"n_small": self.n_small, "sentence": self.sentence()},
        )
        self.entry = terms.registry.begin(entry, pack_tables(self.tables))


def checks_of(made: ProtectedTables) -> list[dict[str, Any]]:
    """Each rule of the tables and whether every cell that it found unsafe is protected."""
    n_unsafe = sum(int(facts["n_unsafe"]) for facts in made.facts)
    return [
        {
            "model": rule.kind(),
            "title": f"{rule.kind()} ({n_unsafe} unsafe cells)",
            "required": 0,
            "achieved": made.n_disclosed,
            "holds": made.holds,
        }
        for rule in made.rules
    ]


def record_tables(
    plan: TablePlan,
    made: ProtectedTables,
    input_sha256: str | None,
    written: Sequence[Path],
    made_by: str | None = None,
) -> dict[str, Any]:
    """The record of tables: every rule and its result, bound to the files' checksums."""
    return make_record(
        "tables",
        plan.to_yaml(),
        checks_of(made),
        {path.name: path for path in written},
        input_sha256=input_sha256,
        made_by=made_by,
    )
