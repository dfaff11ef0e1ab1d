"""Persons: an id that no name betrays shows in what its rows have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from microveil.app.inspection.limits import (
    FEWEST_RECORDS,
    MOST_ROWS_PER_ENTITY,
    NEARLY_UNIQUE,
    ROWS_PER_ENTITY,
    SAME_PERSON,
)
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.app.inspection.column import Column
    from microveil.app.inspection.suggestion import Suggestion
    from microveil.tables import Roles

FOR_LIFE = ("birth_date", "birth_year", "sex", "person_name", "ethnicity")
"""Kinds of content that do not change from one row of a person to the next."""
ENOUGH = 2
"""Columns that must agree: one alone may be what the numbers were made from."""
_UNCLEAR = (None, "code", "group_id", "record_id")


def persons(suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """Make the entity of numbers or texts whose rows share birth, sex and the like.

    Households and wards share neither; a person's stays and visits share them all.
    """
    constants = [found for found in suggestions if found.kind in FOR_LIFE and _varies(found.column)]
    if any(found.role == "entity" for found in suggestions) or len(constants) < ENOUGH:
        return list(suggestions)
    chosen = next((found for found in suggestions if _is_person(found, constants)), None)
    if chosen is None:
        return list(suggestions)
    reason = Message(
        "inspect.rows_share_for_life",
        "rows with the same value have the same {names:quoted}: it stands for a person",
        names=[found.name for found in constants],
    )
    told = replace(chosen, role="entity", reasons=(reason,))
    return [told if found is chosen else found for found in suggestions]


def _varies(column: Column) -> bool:
    return not column.counts.constant


def _is_person(found: Suggestion, constants: Sequence[Suggestion]) -> bool:
    column = found.column
    if found.kind not in _UNCLEAR or column.form not in ("text", "whole"):
        return False
    counts = column.counts
    present = counts.n_records - counts.n_missing
    rows_per_id = present / max(counts.n_distinct, 1)
    if counts.n_distinct <= FEWEST_RECORDS or not (
        ROWS_PER_ENTITY <= rows_per_id <= MOST_ROWS_PER_ENTITY * present
    ):
        return False
    return all(_agrees(column, other.column) for other in constants)


def _agrees(column: Column, other: Column) -> bool:
    """Whether nearly all rows of a value say the same, and others do not."""
    pairs = pl.DataFrame({"id": column.series, "said": other.series}).drop_nulls()
    by_id = pairs.group_by("id").agg(
        n=pl.len(), alike=pl.col("said").unique_counts().cast(pl.Int64).max()
    )
    repeated = by_id.filter(pl.col("n") > 1)
    if repeated.height < FEWEST_RECORDS:
        return False
    share = int(repeated["alike"].sum()) / int(repeated["n"].sum())
    usual = 1 - other.counts.separation
    return share >= SAME_PERSON and usual < NEARLY_UNIQUE


def keep_links(roles: Roles, found: Roles) -> Roles:
    """Roles that someone gave, with the persons and households that an inspection found.

    Whoever names the keys alone still means people, not rows: a person with five rows is no crowd.
    What was given another role than identifier keeps it.

    >>> from microveil.tables import Roles
    >>> keep_links(Roles(quasi_identifiers=["age"]), Roles(entity="patient")).entity
    'patient'
    """
    taken = {*roles.named}.difference(roles.identifiers)
    links: dict[str, str] = {}
    if roles.entity is None and found.entity is not None and found.entity not in taken:
        links["entity"] = found.entity
    home = found.household
    if roles.household is None and home is not None and home not in roles.named:
        links["household"] = home
    return roles.model_copy(update=links)
