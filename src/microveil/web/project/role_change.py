"""Changing roles: a column moves from one role to another, and leaves those that clash."""

from __future__ import annotations

from typing import Any

from microveil.tables import Roles

LISTS = ("identifiers", "quasi_identifiers", "sensitive", "insensitive")


def role_of(roles: Roles, column: str) -> str:
    """The list that a column stands in, or ``none``."""
    return next((name for name in LISTS if column in getattr(roles, name)), "none")


def with_role(roles: Roles, column: str, role: str) -> Roles:
    """The roles with a column in another list, or in none.

    >>> with_role(Roles(quasi_identifiers=["age"]), "age", "sensitive").sensitive
    ('age',)
    """
    raw: dict[str, Any] = roles.to_dict()
    for name in LISTS:
        raw[name] = [one for one in getattr(roles, name) if one != column]
    if role in LISTS:
        raw[role] = [*raw[role], column]
    if role in ("identifiers", "sensitive"):
        for single in ("weight", "household"):
            if raw.get(single) == column:
                raw.pop(single)
    return Roles.parse(raw)


def with_single(roles: Roles, single: str, column: str) -> Roles:
    """The roles with another column for a special task, or with none."""
    raw: dict[str, Any] = roles.to_dict()
    raw.pop(single, None)
    if column:
        raw[single] = column
        if single != "entity":
            for name in ("identifiers", "sensitive"):
                raw[name] = [one for one in getattr(roles, name) if one != column]
    return Roles.parse(raw)
