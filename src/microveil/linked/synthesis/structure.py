"""Structure: which tables are drawn, below which parent, and what a row knows of those above it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.errors import InputError
from microveil.linked.links import Frames, Link, parents_first
from microveil.linked.owners import Relations, parent_rows


@dataclass(frozen=True)
class Structure:
    """The tables that are drawn, each with the link to its parent."""

    drawn: tuple[str, ...]
    """Parents first; the others are lists of codes."""
    parent: Mapping[str, Link]
    """Link to the parent, of every table but those at the top."""
    links: Sequence[Link]

    @classmethod
    def of(
        cls, frames: Frames, links: Sequence[Link], people: str, wholes: Sequence[str]
    ) -> Structure:
        """Find the parent of each table: the one farthest below the top."""
        mine = {*Relations.of(frames, links, people).whose, *wholes}
        order = [name for name in parents_first(list(frames), links) if name in mine]
        depth: dict[str, int] = {}
        parent: dict[str, Link] = {}
        for name in order:
            up = [link for link in links if link.table == name and link.to in mine]
            depth[name] = max((depth[link.to] + 1 for link in up), default=0)
            if up:
                parent[name] = max(up, key=lambda link: depth[link.to])
        found = cls(tuple(order), parent, tuple(links))
        found.refuse_other_ways(mine)
        return found

    def refuse_other_ways(self, mine: set[str]) -> None:
        """Refuse a table with two parents neither of which is above the other."""
        for link in self.links:
            if link.table in mine and link.to in mine and link.to not in self.above(link.table):
                raise InputError(
                    "Table '{name}' has two parents, neither above the other, so that it cannot be "
                    "drawn: leave out link {link}, or draw without it.",
                    name=link.table,
                    link=str(link),
                )

    def above(self, name: str) -> list[str]:
        """The tables above one, nearest first."""
        found = []
        while name in self.parent:
            name = self.parent[name].to
            found.append(name)
        return found

    def children(self, name: str) -> list[str]:
        """Tables whose parent a table is."""
        return [child for child, link in self.parent.items() if link.to == name]

    def rows_above(self, frames: Frames, name: str) -> dict[str, Longs]:
        """For each row of a table, the row of every table above it."""
        rows, found, at = np.arange(frames[name].height), dict[str, Longs](), name
        while at in self.parent:
            link = self.parent[at]
            rows = parent_rows(frames, link)[rows]
            if (rows < 0).any():
                raise InputError(
                    "Some rows of table '{name}' have no parent in link {link}. Remove them, or "
                    "fill in their keys.",
                    name=at,
                    link=str(link),
                )
            at = link.to
            found[at] = rows
        return found


def explains(column: pl.Series, most: int = 50) -> bool:
    """Whether a column can say something about others: numbers, dates, or few categories."""
    dtype = column.dtype
    if dtype.is_numeric() or dtype == pl.Boolean or isinstance(dtype, pl.Date | pl.Datetime):
        return True
    return not dtype.is_nested() and dtype != pl.Null and column.n_unique() <= most
