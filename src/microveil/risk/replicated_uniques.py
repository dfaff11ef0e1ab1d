"""Replicated uniques: people who are unique in the original and again in the release."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from microveil.arrays import Floats, Longs
from microveil.measures.base import RiskMeasure, roles_for
from microveil.measures.evidence import AppliedRecipe
from microveil.measures.subject import Subject
from microveil.pairs.columns import Column
from microveil.pairs.reading import Reading
from microveil.risk.attacks.base import attack_columns, readable_table
from microveil.risk.linkage.known_sets import Strongest, strongest
from microveil.risk.linkage.linking import TABLE, worth
from microveil.scores import Score
from microveil.tables import Roles, Table
from microveil.tables.codes import Codes, combine_codes
from microveil.tables.roles import Columns
from microveil.texts import phrase


class ReplicatedUniques(RiskMeasure):
    """Share of people who are unique on their keys in the original and again in the release.

    An intruder who sees one released record with a person's keys believes that this is the person.
    ``parts`` has the unique records of both tables, the original uniques that occur in the release
    at all (``n_occurring``) or as a unique record (``n_replicated``), and the latter as a share of
    the uniques; ``records`` marks the released records concerned. 30, 30.0 and "30" are equal, a
    missing key is a value of its own, and a label that stands for several values matches none (the
    repU of Raab, Nowok & Dibben 2024).

    >>> before, after = {"age": [20, 30, 30, 40]}, {"age": [20, 20, 30, 40]}
    >>> ReplicatedUniques().measure(before, after).value
    0.25
    """

    question: ClassVar[str] = "Can somebody be singled out?"
    title: ClassVar[str] = "Unique before and after"
    plain: ClassVar[str] = "Share of people who are alone with their keys before and again after."
    headline: ClassVar[bool] = True
    name: Literal["replicated_uniques"] = "replicated_uniques"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    needs_original: ClassVar[bool] = True
    columns: Columns = ()
    """Keys; by default the quasi-identifiers that both tables have, otherwise all columns."""
    worst_columns: bool = True
    """Whether the intruder may leave keys out: the score is the highest over all keys, each alone,
    each left out, and more left out or added again as long as that helps."""

    def measure(
        self,
        first: Any,
        second: Any = None,
        *,
        roles: Roles | None = None,
        recipe: AppliedRecipe | None = None,
    ) -> Score:
        """``measure(original, released)``; a key that the release dropped is left out."""
        if second is None:
            raise TypeError("ReplicatedUniques().measure(original, released) takes two tables")
        roles = roles_for(first, roles, recipe)
        before, after = readable_table(first, roles), readable_table(second, roles)
        return self.score_subject(Subject.of(before, after, recipe))

    def score(self, original: Table | None, table: Table) -> Score:
        """Count the key combinations of both tables and compare them."""
        if original is None:
            raise TypeError("ReplicatedUniques().measure(original, released) takes two tables")
        return self.score_reading(Reading.of(original, table))

    def score_reading(self, reading: Reading) -> Score:
        """Compare by all keys, and by those on which most are unique before and again after."""
        names = self._keys(reading.original, reading.released)
        uniques = _Uniques.of(reading, names)
        every = uniques.by(tuple(names))
        people = reading.people
        n = reading.original.height if people is None else len(np.unique(people))
        best = Strongest(tuple(names), every.again)
        if self.worst_columns:
            best = strongest(
                names,
                every.again,
                lambda columns, _: uniques.by(columns).again,
                ceiling=lambda columns: uniques.most_alone(columns, n),
                n_pairs=0.0,
                order=lambda: np.arange(reading.original.height),
                people=people,
            )
            best = _with_more(best, names, uniques, people)
        found = uniques.by(best.columns)
        n_unique, n_again = (round(worth(one, people) * n) for one in (every.alone, best.found))
        risk = n_again / n if n else 0.0
        return Score(
            measure=self.kind(),
            value=risk,
            parts={
                "risk": risk,
                "n_unique": n_unique,
                "n_unique_released": every.n_unique_released,
                "n_occurring": round(worth(every.occurring, people) * n),
                "n_replicated": n_again,
                "replicated_share": n_again / n_unique if n_unique else 0.0,
                "columns": list(best.columns),
            },
            records=found.released,
        )

    def _keys(self, original: Table, released: Table) -> list[str]:
        tables = (original, released)
        if self.columns:
            return attack_columns(tables, self.columns, attack=phrase("Replicated uniques"))
        keys = [name for name in original.roles.quasi_identifiers if name in released.columns]
        return attack_columns(tables, keys, attack=phrase("Replicated uniques"))


def _with_more(
    best: Strongest, names: Sequence[str], uniques: _Uniques, people: Longs | None
) -> Strongest:
    """Add keys again as long as more people are unique by them before and again after.

    Where two keys say something wrong, leaving out either alone finds nobody.
    """
    while True:
        more = [
            tuple(one for one in names if one in best.columns or one == name)
            for name in names
            if name not in best.columns
        ]
        values = {one: worth(uniques.by(one).again, people) for one in more}
        top = max(values, key=values.__getitem__, default=None)
        if top is None or values[top] <= worth(best.found, people):
            return best
        best = Strongest(top, uniques.by(top).again)


class _Found(NamedTuple):
    """Who is unique by some keys."""

    alone: Floats
    """Whether each original row is of the only person with its keys."""
    again: Floats
    """Whether its keys are also those of one person in the release."""
    occurring: Floats
    """Whether they occur there at all."""
    released: Floats
    """Whether each released row is such a one."""
    n_unique_released: int


class _Uniques:
    """The keys of both tables as numbers, equal for equal values."""

    def __init__(
        self, keys: dict[str, Codes], height: int, sides: tuple[Longs | None, Longs | None]
    ) -> None:
        self._keys, self._height, self._people = keys, height, sides
        self._found: dict[tuple[str, ...], _Found] = {}

    @classmethod
    def of(cls, reading: Reading, names: Sequence[str]) -> _Uniques:
        """Number the values of each key once."""
        keys = {name: _number_values(reading.column(name)) for name in names}
        return cls(keys, reading.original.height, (reading.people, reading.people_released))

    def by(self, columns: tuple[str, ...]) -> _Found:
        """Count the combinations of some keys."""
        if columns not in self._found:
            self._found[columns] = self._count(columns)
        return self._found[columns]

    def most_alone(self, columns: tuple[str, ...], n: int) -> float:
        """The most people, as a share of n, that could be unique by some keys."""
        if columns in self._found:
            return worth(self._found[columns].alone, self._people[0])
        return math.prod(self._keys[name].radix for name in columns) / max(n, 1)

    def _pack(self, columns: tuple[str, ...]) -> Codes:
        """One number for each row of both tables, equal for equal keys."""
        n_rows = len(next(iter(self._keys.values())).values)
        packed = Codes(np.zeros(n_rows, dtype=np.int64), 1)
        for name in columns:
            packed = combine_codes(packed, self._keys[name])
        # Sorting is needed only where a table of all combinations would be too large.
        if packed.radix > TABLE * max(n_rows, 1):
            packed = Codes(np.unique(packed.values, return_inverse=True)[1], n_rows)
        return packed

    def _count(self, columns: tuple[str, ...]) -> _Found:
        packed = self._pack(columns)
        before, after = packed.values[: self._height], packed.values[self._height :]
        n_keys = packed.radix
        people, released_people = self._people
        often = _often(before, people, n_keys)
        # Rows of one person that cannot be told from rows of several may be of one: the worst case.
        unclear = people is not None and released_people is None
        shown = _often(after, released_people, n_keys)
        once = (shown > 0) if unclear else (shown == 1)
        alone = often == 1
        again = (alone & once).astype(np.float64)
        occurring = (alone & (shown > 0)).astype(np.float64)
        return _Found(
            alone.astype(np.float64)[before],
            again[before],
            occurring[before],
            again[after],
            int((shown == 1).sum()),
        )


def _often(places: Longs, people: Longs | None, n_keys: int) -> Longs:
    """Number of rows, or of people, with each combination."""
    if people is None:
        return np.bincount(places, minlength=n_keys)
    pairs = np.unique(places.astype(np.int64) * (int(people.max(initial=0)) + 1) + people)
    return np.bincount(pairs // (int(people.max(initial=0)) + 1), minlength=n_keys)


def _number_values(column: Column) -> Codes:
    """Values of the original, then of the release, as numbers from 0."""
    codes = np.concatenate([column.codes[0], _as_values(column)]).astype(np.int64)
    codes -= codes.min(initial=0)
    return Codes(codes, int(codes.max(initial=0)) + 1)


def _as_values(column: Column) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Codes of the release in the original's numbering; a label for several values has its own."""
    codes = column.codes[1]
    if not column.labelled:
        return codes
    cover = column.cover
    sizes = np.bincount(cover.label, cover.high - cover.low, minlength=len(column.label_texts))
    meaning = np.append(-2 - np.arange(len(sizes)), -1).astype(np.int32)
    single = sizes[cover.label] == 1
    meaning[cover.label[single]] = cover.low[single]
    return meaning[codes]
