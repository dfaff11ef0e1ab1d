"""Frequencies: how many records, and people of the population, share the keys of each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.errors import ColumnError
from microveil.tables import Classes, Missing, Table
from microveil.tables.class_sources import check_weight
from microveil.tables.codes import encode
from microveil.tables.missing_keys import matched_sums

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Frequencies:
    """How often the keys of each class occur."""

    classes: Classes
    sample: Floats
    """f: records of the table with the keys (people, where the roles name an entity)."""
    population: Floats
    """F: people of the population with the keys, estimated by weights; f without them."""
    n_people: float
    """People of the population: the sum of the weights, or the table's people."""

    @property
    def drawn(self) -> Floats:
        """Share f/F of each class's people that the table holds, at most 1."""
        return np.minimum(self.sample / np.maximum(self.population, self.sample), 1.0)

    @property
    def estimated(self) -> bool:
        """Whether the population is estimated rather than taken to be the table."""
        return self.classes.weight is not None


def frequencies(
    table: Table,
    columns: Sequence[str] | None = None,
    missing: Missing = "category",
    wildcard_weight: float = 1.0,
) -> Frequencies:
    """Count the records, and sum the weights, that share the keys of each class.

    Where a missing key is a wildcard, records that match only thanks to one count
    ``wildcard_weight`` (sdcMicro's alpha). An entity's weight in a class is the mean of its rows'.

    >>> from microveil.tables import Roles
    >>> people = {"sex": ["f", "f", "m"], "w": [10.0, 20.0, 5.0]}
    >>> found = frequencies(Table(people, Roles(quasi_identifiers=["sex"], weight="w")))
    >>> sorted(found.population.tolist())
    [5.0, 30.0]
    """
    classes = Classes.of(table, columns)
    counts = classes.counts.astype(np.float64)
    weights = counts if classes.weight is None else _weights(table, classes)
    n_people = float(weights.sum())
    if missing == "wildcard":
        both = matched_sums(classes.keys, np.column_stack([counts, weights]), alpha=wildcard_weight)
        counts, weights = both.T.copy()
    return Frequencies(classes, counts, weights, n_people)


def _weights(table: Table, classes: Classes) -> Floats:
    """Summed weight of each class; every person counts once in it."""
    name = str(classes.weight)
    _check_weights(table.frame[name])
    entity = table.roles.entity
    if entity is None:
        weights = classes.weights
        return np.zeros(classes.n_classes) if weights is None else weights
    codes = encode(table.frame[entity])
    _, first, pair = np.unique(
        classes.record_class * codes.radix + codes.values, return_index=True, return_inverse=True
    )
    numbers = table.frame[name].cast(pl.Float64).to_numpy()
    means = np.bincount(pair, weights=numbers) / np.bincount(pair)
    of_class = classes.record_class[first]
    summed = np.bincount(of_class, weights=means, minlength=classes.n_classes)
    return summed.astype(np.float64, copy=False)


def _check_weights(weight: pl.Series) -> None:
    check_weight(weight, weight.null_count())
    low, total = weight.min(), weight.cast(pl.Float64).sum()
    if low is not None and (float(low) < 0 or not np.isfinite(total)):  # type: ignore[arg-type]  # the column is numeric
        raise ColumnError(
            f"Weight column '{weight.name}' must hold finite numbers that are not negative."
        )
