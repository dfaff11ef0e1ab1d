"""The history of a release: everything in the registry that has people in common with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from microveil.registry.composing import Composition, compose
from microveil.registry.entries import ReleaseEntry
from microveil.registry.published_tables import (
    Differences,
    PublishedTable,
    difference_with_release,
    unpack_tables,
)
from microveil.registry.registry import Registry
from microveil.registry.signatures import ROWS, Signatures
from microveil.registry.spending import add_up


@dataclass(frozen=True, eq=False)
class History:
    """Earlier publications that a new release is compared with.

    The name of a source does not matter for microdata: a renamed or sorted file has the same
    people. Tables and budgets have no people; those of the same source count.
    """

    releases: Mapping[str, tuple[ReleaseEntry, Signatures]]
    tables: Mapping[str, tuple[PublishedTable, ...]]
    spent: tuple[ReleaseEntry, ...]
    not_compared: tuple[str, ...] = field(default=())

    @classmethod
    def of(cls, registry: Registry, new: Signatures | None, source: str) -> History:
        """Everything in the registry that concerns a release."""
        releases: dict[str, tuple[ReleaseEntry, Signatures]] = {}
        tables: dict[str, tuple[PublishedTable, ...]] = {}
        refused: list[str] = []
        spent = []
        for entry in registry.releases():
            if entry.source == source:
                spent.append(entry)
            packed = registry.signatures(entry) if new is not None else None
            if packed is None or new is None:
                continue
            if entry.kind in ("tables", "outputs"):
                if entry.source == source:
                    tables[_name(entry)] = unpack_tables(packed)
                continue
            signed = Signatures.unpack(packed)
            if (signed.people_by == ROWS) != (new.people_by == ROWS):
                if entry.source == source:
                    refused.append(_other_way(entry, signed, new))
            elif _share_people(signed, new):
                releases[_name(entry)] = entry, signed
        return cls(releases, tables, tuple(spent), tuple(refused))

    def compare(
        self,
        new: Signatures | None,
        k: int,
        scenario: str | None,
        keys: Sequence[str],
        privacy_loss: Mapping[str, Any] | None,
    ) -> Composition:
        """What a new release tells together with these to who knows some keys of it."""
        spent = add_up(self.spent, privacy_loss)
        if new is None:
            return Composition(k, None, privacy_loss=spent)
        earlier = {
            name: signed.restrict(_keys_of(entry, signed, scenario))
            for name, (entry, signed) in self.releases.items()
        }
        differences = {name: _differences(found, new, k) for name, found in self.tables.items()}
        return compose(
            earlier,
            new.restrict(keys),
            k,
            privacy_loss=spent,
            differences=differences,
            not_compared=self.not_compared,
        )


def _differences(
    tables: Sequence[PublishedTable], new: Signatures, k: int
) -> tuple[Differences, ...]:
    return tuple(difference_with_release(one, new, k) for one in tables)


def _keys_of(entry: ReleaseEntry, signed: Signatures, scenario: str | None) -> tuple[str, ...]:
    """What the same intruder knew of an earlier release: its scenario of that name, or all keys."""
    sets = entry.key_sets
    return sets.get(scenario or "") or sets.get("") or signed.keys


def _share_people(one: Signatures, other: Signatures) -> bool:
    left = pl.Series("person", one.people).unique().to_frame().filter(pl.col("person") != 0)
    right = pl.Series("person", other.people).unique().to_frame()
    return left.join(right, on="person", how="semi").height > 0


def _other_way(entry: ReleaseEntry, signed: Signatures, new: Signatures) -> str:
    return (
        f"Release {entry.id} tells people apart by {_way(signed)}, this one by {_way(new)}: they "
        "were not compared."
    )


def _way(signed: Signatures) -> str:
    return "whole rows" if signed.people_by == ROWS else f"column '{signed.people_by}'"


def _name(entry: ReleaseEntry) -> str:
    return f"{entry.id} {entry.title}"
