"""Composition: what a new release tells together with those before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from microveil.display import Card, Shown, grid
from microveil.privacy import Check
from microveil.recipes import AcrossReleases
from microveil.registry.arrivals import Arrivals, count_arrivals
from microveil.registry.common_values import CommonValues, compare_values
from microveil.registry.intersecting import Alike, count_alike
from microveil.registry.joining import join_people
from microveil.registry.published_tables import Differences
from microveil.registry.signatures import Signatures
from microveil.texts import Message, join

K = 5
"""People who should be alike, where nothing else is required."""


@dataclass(frozen=True, eq=False)
class Pair:
    """An earlier release beside the new one."""

    name: str
    n_people: int
    """People in both."""
    smallest: int | None
    """The fewest people in both who are alike in both."""
    n_below: int
    n_unique: int
    arrivals: Arrivals | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            **self.__dict__,
            "arrivals": None if self.arrivals is None else self.arrivals.to_dict(),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Composition(Shown):
    """What releases tell together: people alike in all of them, values in common, differences."""

    k: int
    """People who should be alike."""
    alike: Alike | None
    """None if there is no earlier release to compare with."""
    pairs: tuple[Pair, ...] = ()
    values: tuple[CommonValues, ...] = ()
    differences: Mapping[str, tuple[Differences, ...]] = field(default_factory=dict)
    """By earlier publication: cells that count almost the same people."""
    privacy_loss: Mapping[str, float] = field(default_factory=dict)
    """ε and δ of everything about this source, added up; empty if there is none."""
    keys: tuple[str, ...] = ()
    """Quasi-identifiers that the releases show together."""
    not_compared: tuple[str, ...] = ()
    """Earlier publications that could not be compared, and why, one sentence each."""

    @property
    def n_people(self) -> int:
        """People in the new release and in an earlier one."""
        return 0 if self.alike is None else self.alike.n_people

    @property
    def smallest(self) -> int | None:
        """The fewest people who are alike in all releases that they are in."""
        return None if self.alike is None else self.alike.smallest

    @property
    def n_below(self) -> int:
        """People with fewer than k alike."""
        return 0 if self.alike is None else self.alike.n_below(self.k)

    @property
    def n_unique(self) -> int:
        """People who are alone in what the releases say together."""
        return 0 if self.alike is None else self.alike.n_below(2)

    @property
    def n_differences(self) -> int:
        """Cells of published tables that differ by fewer than k people."""
        return sum(one.n_small for found in self.differences.values() for one in found)

    @property
    def holds(self) -> bool:
        """Whether nobody has fewer than k alike, and no difference leaves fewer than k."""
        return self.n_below == 0 and self.n_differences == 0

    def sentence(self) -> str:
        """How bad it is."""
        return join(self._sentences())

    def _sentences(self) -> list[str]:
        if self.alike is None and not self.differences:
            told = [Message("across.none", "There is no earlier release to compare with.")]
        elif self.n_people == 0:
            told = [Message("across.nobody", "Nobody is in this release and in an earlier one.")]
        else:
            told = [self._alike_sentence()]
        told += [_values_sentence(one) for one in self.values if one.n_disclosed]
        if self.n_differences:
            told.append(
                Message(
                    "across.differences",
                    "1 published cell differs from an earlier publication by fewer than {k} "
                    "people.",
                    many="{n:,} published cells differ from an earlier publication by fewer than "
                    "{k} people.",
                    n=self.n_differences,
                    k=self.k,
                )
            )
        return [*told, *self.not_compared]

    def _alike_sentence(self) -> Message:
        told: dict[str, Any] = {"people": self.n_people, "smallest": self.smallest, "k": self.k}
        if not self.n_below:
            return Message(
                "across.holds",
                "{people:,} people are in this release and in an earlier one, and each of them has "
                "at least {smallest:,} alike in all that the releases say together.",
                **told,
            )
        return Message(
            "across.broken",
            "Of {people:,} people who are in this release and in an earlier one, {below:,} have "
            "fewer than {k} alike in what the releases say together, and {unique:,} are alone.",
            below=self.n_below,
            unique=self.n_unique,
            **told,
        )

    def check(self, required: AcrossReleases, n_records: int, scenario: str | None = None) -> Check:
        """The requirement on all releases together."""
        reached = float("inf") if self.smallest is None else float(self.smallest)
        below = 0 if self.alike is None else self.alike.n_below(required.k)
        least = min((one.least for one in self.values), default=None)
        few_values = required.m is not None and least is not None and least < required.m
        return Check(
            model=required.kind(),
            title=Message(
                "title.across_releases", "{k} people alike across releases", k=required.k
            ),
            required=required.k,
            achieved=reached,
            broken_in=np.zeros(0, dtype=np.int64),
            n_broken=below,
            n_records=self.n_people or n_records,
            scenario=scenario,
            kept_as_a_whole=below == 0 and self.n_differences == 0 and not few_values,
            parts={} if least is None else {"m": float(least)},
            notes=(self.sentence(), *([_m_sentence(required.m, least)] if few_values else [])),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "holds": self.holds,
            "k": self.k,
            "sentence": self.sentence(),
            "n_people": self.n_people,
            "smallest": self.smallest,
            "n_below": self.n_below,
            "n_unique": self.n_unique,
            "lower_bound": bool(self.alike and self.alike.cautious),
            "keys": list(self.keys),
            "pairs": [one.to_dict() for one in self.pairs],
            "sensitive": [one.to_dict() for one in self.values],
            "differences": {
                name: [one.to_dict() for one in found] for name, found in self.differences.items()
            },
            "privacy_loss": dict(self.privacy_loss),
            "not_compared": list(self.not_compared),
        }

    def card(self) -> Card:
        """The summary that is shown."""
        rows = [
            (one.name, f"{one.n_people:,}", one.smallest or "–", f"{one.n_below:,}")
            for one in self.pairs
        ]
        heads = ("earlier release", "people in both", "fewest alike", f"fewer than {self.k}")
        grids = (grid(heads, rows),) if rows else ()
        return Card("Releases together", tuple(map(str, self._sentences())), grids)


def compose(
    earlier: Mapping[str, Signatures], new: Signatures, k: int = K, **more: Any
) -> Composition:
    """What a new release tells together with earlier ones, given by name."""
    if not earlier:
        return Composition(k, None, **more)
    every = [*earlier.values(), new]
    joined = join_people(every)
    pairs = tuple(_compare(name, one, new, k) for name, one in earlier.items())
    alike = count_alike(joined, k, new.missing)
    keys = tuple(dict.fromkeys(key for one in every for key in one.keys))
    return Composition(k, alike, pairs, compare_values(joined), keys=keys, **more)


def _compare(name: str, earlier: Signatures, new: Signatures, k: int) -> Pair:
    alike = count_alike(join_people([earlier, new]), k, new.missing)
    return Pair(
        name,
        alike.n_people,
        alike.smallest,
        alike.n_below(k),
        alike.n_below(2),
        count_arrivals(earlier, new, k),
    )


def _values_sentence(one: CommonValues) -> Message:
    return Message(
        "across.values",
        "The classes of 1 person have one value of '{column}' in common, which is then known.",
        many="The classes of {n:,} people have one value of '{column}' in common, which is then "
        "known.",
        n=one.n_disclosed,
        column=one.column,
    )


def _m_sentence(required: int | None, least: int | None) -> Message:
    return Message(
        "across.few_values",
        "Somebody's classes have {least} sensitive values in common, {m} are required.",
        least=least,
        m=required,
    )
