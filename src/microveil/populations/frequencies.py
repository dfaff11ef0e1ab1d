"""Frequencies: how many records, and how many people in the population, share each class's keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.errors import ColumnError
from microveil.tables import Classes, Missing, Table
from microveil.tables.kinds import check_weight

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microveil.arrays import Floats


@dataclass(frozen=True, eq=False)
class Frequencies:
    """How often the keys of each class occur in the table and in the population."""

    classes: Classes
    sample: Floats
    """f: records in the table with the keys (people, if the roles name an entity)."""
    population: Floats
    """F: people in the population with the keys, estimated from weights; f without weights."""
    n_people: float
    """People in the population: the sum of the weights, or the number of people in the table."""

    @property
    def drawn(self) -> Floats:
        """Sampled share f/F of each class, at most 1."""
        return np.minimum(self.sample / np.maximum(self.population, self.sample), 1.0)

    @property
    def estimated(self) -> bool:
        """Whether the population is estimated rather than identified with the table."""
        return self.classes.weight is not None


def frequencies(
    table: Table,
    columns: Sequence[str] | None = None,
    missing: Missing = "category",
    wildcard_weight: float = 1.0,
) -> Frequencies:
    """Count the records that share the keys of each class, and sum their weights.

    If a missing key is a wildcard, records that match only because of it count ``wildcard_weight``
    (sdcMicro's alpha). A person counts once, with the mean weight of their rows.

    >>> from microveil.tables import Roles
    >>> people = {"sex": ["f", "f", "m"], "w": [10.0, 20.0, 5.0]}
    >>> found = frequencies(Table(people, Roles(quasi_identifiers=["sex"], weight="w")))
    >>> sorted(found.population.tolist())
    [5.0, 30.0]
    """
    if table.roles.weight is not None:
        _check_weights(table.frame[table.roles.weight])
    classes = Classes.of(table, columns, missing)
    sample, population = classes.count_matches(wildcard_weight).T.copy()
    return Frequencies(classes, sample, population, classes.n_people)


def _check_weights(weight: pl.Series) -> None:
    check_weight(weight, weight.null_count())
    if not np.isfinite(float(weight.cast(pl.Float64).sum())):
        raise ColumnError("Weight column '{name}' must hold finite numbers.", name=weight.name)
