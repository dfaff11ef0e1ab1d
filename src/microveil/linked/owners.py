"""Whose rows are: people numbered over all tables, and what goes when rows go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from microveil.arrays import Flags, Longs
from microveil.errors import InputError
from microveil.linked.links import Frames, Link, parents_first


def parent_rows(frames: Frames, link: Link) -> Longs:
    """The parent's row of each child row; −1 where the child names none."""
    child = frames[link.table][link.column].alias("key").to_frame()
    parent = frames[link.to][link.key].alias("key").to_frame().with_row_index("row")
    found = child.join(parent, on="key", how="left", maintain_order="left")["row"]
    return found.cast(pl.Int64).fill_null(-1).to_numpy()


def owners(frames: Frames, links: Sequence[Link], table: str) -> dict[str, Longs]:
    """The person of each row, by table, as the row in the table of people.

    Tables that do not lead to people, such as lists of codes, are not among them.
    """
    found = {table: np.arange(frames[table].height)}
    for name in parents_first(list(frames), links):
        for link in links:
            if link.table != name or link.to not in found or name == table:
                continue
            rows = parent_rows(frames, link)
            mine = np.where(rows >= 0, found[link.to][rows], -1)
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


def spread_removal(
    frames: Frames, links: Sequence[Link], table: str, kept: Mapping[str, Flags]
) -> dict[str, Flags]:
    """Which rows stay once what belongs to removed rows is gone, too.

    A child goes with its parent. A row above people, such as a household, goes when nobody is left
    in it.
    """
    stay = {name: flags.copy() for name, flags in kept.items()}
    order = parents_first(list(frames), links)
    above = _above(links, table)
    ups = [(link, parent_rows(frames, link)) for link in links]
    changed = True
    while changed:
        before = {name: int(flags.sum()) for name, flags in stay.items()}
        for name in order:
            for link, rows in ups:
                if link.table == name:
                    stay[name] &= (rows < 0) | stay[link.to][rows]
        for link, rows in ups:
            if link.to in above and link.table in {table, *above}:
                left = rows[stay[link.table]]
                used = np.zeros(frames[link.to].height, dtype=np.bool_)
                used[left[left >= 0]] = True
                stay[link.to] &= used
        changed = any(int(flags.sum()) != before[name] for name, flags in stay.items())
    return stay


def _above(links: Sequence[Link], table: str) -> set[str]:
    """Tables that people refer to, directly or by others."""
    found: set[str] = set()
    waiting = [table]
    while waiting:
        name = waiting.pop()
        new = [link.to for link in links if link.table == name and link.to not in found]
        found.update(new)
        waiting += new
    return found
