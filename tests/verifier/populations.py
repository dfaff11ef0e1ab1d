"""People of a population file who have the keys of a class, counted row by row."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from tests.verifier.seen import Group, Key, Row, counts_for


def people_of(group: Group, people: Sequence[Row]) -> float:
    """How many people the class cannot be told from."""
    if not group.seen.keys:
        return len(people)
    return float(sum(_fits(group, _key(group, one)) for one in people))


def strangers(groups: Sequence[Group], people: Sequence[Row]) -> bool:
    """Whether somebody of the population has keys that no class has."""
    if not groups or not groups[0].seen.keys:
        return False
    return any(not any(_fits(group, _key(group, one)) for group in groups) for one in people)


def _key(group: Group, person: Row) -> Key:
    return tuple(person[name] for name in group.seen.keys)


def _fits(group: Group, theirs: Key) -> bool:
    mine = tuple(_text(cell) for cell in group.key)
    other = tuple(_text(cell) for cell in theirs)
    return counts_for(mine, other) if group.seen.wildcard else mine == other


def _text(cell: Any) -> str | None:
    """A value as it is written, so that 30 and "30" are one."""
    if cell is None:
        return None
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float):
        # Python writes 1e-07 where labels have 1e-7.
        return str(int(cell)) if cell == int(cell) else repr(cell).replace("e-0", "e-")
    if isinstance(cell, dt.datetime):
        return str(cell).removesuffix(" 00:00:00")
    return str(cell)
