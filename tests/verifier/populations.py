"""People of a population file who have the keys of a class."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from tests.verifier.seen import Group, Key, Row, counts_for


def people_of(group: Group, people: Sequence[Row], entity: str | None) -> float:
    """How many people the class cannot be told from: rows, or what ``entity`` tells apart."""
    return float(len({who for who, one in _told(people, entity) if _may_be(group, one)}))


def strangers(groups: Sequence[Group], people: Sequence[Row], entity: str | None) -> bool:
    """Whether somebody of the population has keys that no class has, in any row."""
    if not groups:
        return False
    known = {
        who for who, one in _told(people, entity) if any(_may_be(group, one) for group in groups)
    }
    return bool({who for who, _ in _told(people, entity)} - known)


def _told(people: Sequence[Row], entity: str | None) -> list[tuple[Any, Row]]:
    """Whose each row is, if the population tells."""
    if entity is None or not people or entity not in people[0]:
        return list(enumerate(people))
    return [(one[entity], one) for one in people]


def _may_be(group: Group, person: Row) -> bool:
    return not group.seen.keys or _fits(group, _key(group, person))


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
