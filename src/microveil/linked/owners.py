"""Whose rows are: people numbered over all tables, and what goes when rows go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from microveil.arrays import Flags, Longs
from microveil.errors import InputError
from microveil.linked.links import Frames, Link, key_frame, parents_first, places_among


def parent_rows(frames: Frames, link: Link) -> Longs:
    """The parent's row of each child row; −1 where the child names none."""
    return places_among(
        key_frame(frames[link.table], link.columns), key_frame(frames[link.to], link.keys)
    )


Stay = Mapping[str, Flags]
"""Which rows of each table stay."""


@dataclass(frozen=True, eq=False)
class Relations:
    """Which row of which table each row refers to, and whose it is; found once for a run."""

    table: str
    """The table of people."""
    heights: Mapping[str, int]
    ups: tuple[tuple[Link, Longs], ...]
    """The parent's row of each child row, by link."""
    whose: Mapping[str, Longs]
    """The person of each row, by table, as the row in the table of people. Tables that do not lead
    to people, such as lists of codes, are not among them."""

    @classmethod
    def of(cls, frames: Frames, links: Sequence[Link], table: str) -> Relations:
        """Follow all links of the tables."""
        heights = {name: frame.height for name, frame in frames.items()}
        ups = tuple((link, parent_rows(frames, link)) for link in links)
        return cls(table, heights, ups, _owners(heights, ups, table))

    @property
    def links(self) -> tuple[Link, ...]:
        """The links that were followed."""
        return tuple(link for link, _ in self.ups)

    def rows_above(self, name: str) -> dict[str, Longs]:
        """The row that each row of a table leads to, for every table above; −1 where to none."""
        found: dict[str, Longs] = {}
        waiting = [(name, np.arange(self.heights[name]))]
        while waiting:
            at, rows = waiting.pop(0)
            for link, up in self.ups:
                if link.table == at and link.to not in found and link.to != name:
                    found[link.to] = np.where(rows >= 0, up[rows], -1) if len(up) else rows
                    waiting.append((link.to, found[link.to]))
        return found

    def pairs(self, name: str, stay: Stay | None = None) -> tuple[Longs, Longs] | None:
        """Each person with each row of a table that tells something of them; None if no row does.

        Rows that lead to a person are theirs. Rows above tell of all who lead to them: a household
        of its members, a product of everybody who bought it. What hangs on a household, such as
        its cars, tells of its members. With ``stay``, only rows that stay tell and lead on.
        """
        if name in self.whose:
            people, rows = self.whose[name], np.arange(self.heights[name])
            return _staying(people, rows, None if stay is None else stay[name])
        met = [self._pairs_at(link, up, stay) for link, up in self.ups if link.to == name]
        if not any(one is not None for one in met):
            beside = [(link, up) for link, up in self.ups if link.table == name]
            met = [self._pairs_beside(link, up, stay) for link, up in beside]
        height = max(self.heights[name], 1)
        told = [people * height + rows for people, rows in filter(None, met)]
        if not told:
            return None
        people, rows = np.divmod(np.unique(np.concatenate(told)), height)
        return _staying(people, rows, None if stay is None else stay[name])

    def _pairs_at(self, link: Link, up: Longs, stay: Stay | None) -> tuple[Longs, Longs] | None:
        """People with the rows that a link leads to from what is theirs, or above them."""
        if link.table not in {*self.whose, *self.rows_above(self.table), *self._lists()}:
            return None
        below = self.pairs(link.table, stay)
        if below is None:
            return None
        rows = up[below[1]]
        return below[0][rows >= 0], rows[rows >= 0]

    def _pairs_beside(self, link: Link, up: Longs, stay: Stay | None) -> tuple[Longs, Longs] | None:
        """People with the rows that refer to a row above them."""
        above = self.rows_above(self.table).get(link.to)
        if above is None:
            return None
        own = pl.DataFrame({"up": above, "person": np.arange(len(above))}).filter(pl.col("up") >= 0)
        if stay is not None:
            own = own.filter(stay[self.table][own["person"].to_numpy()])
        rows = pl.DataFrame({"up": up, "row": np.arange(len(up))})
        both = own.join(rows, on="up")
        return both["person"].to_numpy(), both["row"].to_numpy()

    def _lists(self) -> set[str]:
        """Tables that what is people's refers to, such as products and codes."""
        return {to for name in self.whose for to in self.rows_above(name)}

    def spread_removal(self, kept: Mapping[str, Flags]) -> dict[str, Flags]:
        """Which rows stay once what belongs to removed rows is gone, too.

        A child goes with its parent. A row above people, such as a household, goes when nobody is
        left in it.
        """
        stay = {name: flags.copy() for name, flags in kept.items()}
        order = parents_first(list(self.heights), self.links)
        above = self.rows_above(self.table)
        counting = {*self.whose, *above}
        changed = True
        while changed:
            before = {name: int(flags.sum()) for name, flags in stay.items()}
            for name in order:
                for link, rows in self.ups:
                    if link.table == name and self.heights[link.to]:
                        stay[name] &= (rows < 0) | stay[link.to][rows]
            for name in above:
                used = np.zeros(self.heights[name], dtype=np.bool_)
                for link, rows in self.ups:
                    if link.to == name and link.table in counting:
                        left = rows[stay[link.table]]
                        used[left[left >= 0]] = True
                stay[name] &= used
            changed = any(int(flags.sum()) != before[name] for name, flags in stay.items())
        return stay


def _staying(people: Longs, rows: Longs, stay: Flags | None) -> tuple[Longs, Longs]:
    if stay is None or stay.all():
        return people, rows
    return people[stay[rows]], rows[stay[rows]]


def _owners(
    heights: Mapping[str, int], ups: Sequence[tuple[Link, Longs]], table: str
) -> dict[str, Longs]:
    found = {table: np.arange(heights[table])}
    for name in parents_first(list(heights), [link for link, _ in ups]):
        for link, rows in ups:
            if link.table != name or link.to not in found or name == table:
                continue
            owner = found[link.to]
            mine = np.where(rows >= 0, owner[rows], -1) if len(owner) else rows
            if name in found:
                mine = _one_person(name, found[name], mine)
            found[name] = mine
    for name, mine in found.items():
        if n := int((mine < 0).sum()):
            raise InputError(
                "1 row of table '{name}' leads to no person. Remove it, or fill in its keys.",
                many="{n:,} rows of table '{name}' lead to no person. Remove them, or fill in "
                "their keys.",
                n=n,
                name=name,
            )
    return found


def _one_person(name: str, first: Longs, second: Longs) -> Longs:
    """The person whom two ways lead to; where one way ends, the other decides."""
    if n := int(((first >= 0) & (second >= 0) & (first != second)).sum()):
        raise InputError(
            "1 row of table '{name}' leads to two people by different links. Correct its keys.",
            many="{n:,} rows of table '{name}' lead to two people by different links. Correct "
            "their keys.",
            n=n,
            name=name,
        )
    return np.where(first >= 0, first, second)
