"""The people an attack is about: their rows, each said once, and which of them are attacked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Floats, Longs
from microveil.pairs.columns import Column, in_order
from microveil.pairs.reading import Reading
from microveil.risk.attacks.neighbours import SIDES, Side
from microveil.tables.codes import pack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microveil.tables import Table


@dataclass(frozen=True, eq=False)
class Scene:
    """The columns of an attack, with one of several rows that say the same about one person.

    With an entity in the roles a person's rows are one target: an attack on a person succeeds as
    far as it does on the worst of these rows. A table in which every row occurs several times, as
    rows of one person, is therefore attacked like the table that has it once.
    """

    columns: dict[str, Column]
    people: tuple[Longs | None, Longs | None, Longs | None]
    """The person of each row of the original, the release and the control, from 0; None if each
    row is a person."""
    place: Longs
    """Of each row of the original, the row of the scene that says the same about the person."""

    @classmethod
    def of(cls, reading: Reading, names: Sequence[str]) -> Scene:
        """The scene of some columns of what was read."""
        columns = {one.name: one for one in reading.columns(names)}
        who = _who(reading)
        tables = (reading.original, reading.released, reading.control)
        if all(one is None for one in who):
            return cls(columns, (None, None, None), np.arange(reading.original.height))
        found = [_said_once(*side, names) for side in zip(tables, who, strict=True)]
        kept, places = [one for one, _ in found], [one for _, one in found]
        link = None if reading.link is None else places[0][reading.link][kept[1]]
        taken = {name: _take_rows(column, kept, link) for name, column in columns.items()}
        people = [
            None if person is None else _number_people(person[rows])
            for person, rows in zip(who, kept, strict=True)
        ]
        return cls(taken, (people[0], people[1], people[2]), places[0])

    def only(self, names: Sequence[str]) -> Scene:
        """The same people by some of the columns."""
        return replace(self, columns={name: self.columns[name] for name in names})

    def labelled_columns(self) -> list[str]:
        """The columns of which the release shows labels."""
        return [name for name, column in self.columns.items() if column.labelled]

    def height(self, side: Side) -> int:
        """Number of rows."""
        first = next(iter(self.columns.values()))
        return len(getattr(first, side))

    def person(self, side: Side) -> Longs:
        """The person of each row."""
        people = self.people[SIDES.index(side)]
        return np.arange(self.height(side)) if people is None else people

    def n_people(self, side: Side) -> int:
        """Number of people."""
        return int(self.person(side).max(initial=-1)) + 1

    def targets(self, side: Side, n_attacks: int, rng: np.random.Generator) -> Longs:
        """Rows of the people to attack: all, or those of a sample, the same in any row order."""
        person, n = self.person(side), self.n_people(side)
        if n <= n_attacks:
            return np.arange(len(person))
        content = self._content(side)
        of_person = np.full(n, np.iinfo(np.uint64).max, dtype=np.uint64)
        np.minimum.at(of_person, person, content)
        drawn = np.zeros(n, dtype=np.bool_)
        drawn[np.argsort(of_person, kind="stable")[rng.choice(n, n_attacks, replace=False)]] = True
        return np.flatnonzero(drawn[person])

    def _content(self, side: Side) -> NDArray[np.uint64]:
        """A number for each row that depends on its cells alone."""
        cells = [getattr(one, side).rename(name) for name, one in self.columns.items()]
        return pl.DataFrame(cells).hash_rows(seed=1).to_numpy()

    def in_order(self, side: Side, rows: Longs) -> Longs:
        """The rows sorted by their content: the same however the table was shuffled."""
        return rows[np.argsort(self._content(side)[rows], kind="stable")]

    def by_person(self, side: Side, found: Floats, rows: Longs) -> Floats:
        """The highest number of each attacked person's rows, in the order of the people."""
        if self.people[SIDES.index(side)] is None:
            return found
        _, person = np.unique(self.person(side)[rows], return_inverse=True)
        highest = np.zeros(int(person.max(initial=-1)) + 1)
        np.maximum.at(highest, person, found)
        return highest

    def of_records(self, found: Floats) -> Floats | None:
        """The numbers of all rows for each row of the original; None if some were not attacked."""
        return found[self.place] if len(found) == self.height("original") > 0 else None


def released_targets(scene: Scene, n_attacks: int, rng: np.random.Generator) -> Longs:
    """Released rows to examine, the same records whatever their order."""
    n_records = scene.height("released")
    if n_records <= n_attacks:
        return np.arange(n_records)
    chosen = rng.choice(n_records, n_attacks, replace=False, shuffle=False)
    return in_order(list(scene.columns.values()))[chosen]


def _who(reading: Reading) -> tuple[Longs | None, Longs | None, Longs | None]:
    control = None if reading.control is None else reading.control.people
    return reading.people, reading.people_released, control


def _said_once(
    table: Table | None, people: Longs | None, names: Sequence[str]
) -> tuple[Longs, Longs]:
    """The first of several rows that say the same about one person, and which one each row is."""
    if table is None or people is None:
        every = np.arange(0 if table is None else table.height)
        return every, every
    _, cells = np.unique(pack(table.frame, names).values, return_inverse=True)
    both = people.astype(np.int64) * (int(cells.max(initial=0)) + 1) + cells
    _, first, number = np.unique(both, return_index=True, return_inverse=True)
    kept = np.sort(first)
    place = np.empty(len(first), dtype=np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    return kept, place[number]


def _number_people(people: Longs) -> Longs:
    _, numbers = np.unique(people, return_inverse=True)
    return numbers


def _take_rows(column: Column, kept: list[Longs], link: Longs | None) -> Column:
    """A column with some of its rows; what its labels stand for stays as it was read."""
    sides = (column.original, column.released, column.control)
    rows = [side.gather(pl.Series(places)) for side, places in zip(sides, kept, strict=True)]
    made = replace(column, original=rows[0], released=rows[1], control=rows[2], link=link)
    read = {
        name: getattr(column, name)
        for name in ("values", "label_texts", "labels", "label_order", "followed")
    }
    made.__dict__.update(read)
    return made
