"""Which columns are quantities: codes and ids are numbers too, but have no mean or correlation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microveil.pairs.alignment import is_paired
from microveil.pairs.numbers import paired_numbers
from microveil.tables.kinds import numbers_of
from microveil.texts import Message

if TYPE_CHECKING:
    import polars as pl

    from microveil.release import Release
    from microveil.tables import Roles, Table

FEW = 10
"""Different whole numbers up to which a column is taken for one of codes."""


class Quantities(NamedTuple):
    """Columns of numbers that can be averaged, and the others, each with the reason."""

    columns: tuple[str, ...]
    left_out: Mapping[str, str]


def quantities_of(release: Release) -> Quantities:
    """Columns that hold quantities before, and numbers or intervals of them after."""
    return quantities_in(release.original, release.table)


def quantities_in(original: Table, released: Table) -> Quantities:
    """The same for two tables; none if their rows cannot be paired."""
    if not is_paired(original, released):
        return Quantities((), {})
    numeric = paired_numbers(original, released, ()).columns
    why = {name: _why_not(original.frame[name], original.roles) for name in numeric}
    return Quantities(
        tuple(name for name in numeric if why[name] is None),
        {name: reason for name, reason in why.items() if reason is not None},
    )


def _why_not(column: pl.Series, roles: Roles) -> str | None:
    ids = {*roles.identifiers, roles.household, roles.entity}
    if column.name in ids:
        return "an id"
    if column.name == roles.weight or column.name in roles.strata:
        return Message("report.part_survey_design", "part of the survey's design")
    values = numbers_of(column)
    values = values[np.isfinite(values)]
    n_different = len(np.unique(values))
    if column.dtype.is_temporal() or not (values == np.round(values)).all():
        return None
    if n_different <= FEW:
        return "codes"
    # Every number once, and hardly a gap: people or rows that were counted through.
    gapless = values.max() - values.min() < 2 * n_different
    return "an id" if gapless and n_different == len(column) > FEW * FEW else None
