"""Population files: how many people in a population table share the keys of each class."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.files import format_of, read
from microveil.hierarchies.text_files import find
from microveil.tables.cells import tidy_cells
from microveil.tables.missing_keys import matched_sums
from microveil.tables.names import free_name
from microveil.tables.roles import check_columns
from microveil.tables.values import as_text, plain

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.tables import Classes


class Population(NamedTuple):
    """A population matched to the classes of a table."""

    counts: NDArray[np.float64]
    """People in the population who match each class."""
    n_outside: int = 0
    """People who match no class of the table."""


def population_of(classes: Classes, path: str | None, model: str) -> Population:
    """Population from a file, or estimated from the weights.

    People are looked up in a file row by row. If classes are sets of several rows' keys, pass the
    classes of rows (:func:`looked_up`).
    """
    if path is not None:
        return in_population(classes, read_population(path, classes))
    weights = classes.population
    if weights is None:
        raise InputError(
            f"{model} needs a population: the path of a file with the same quasi-identifiers, or "
            "a weight column in the roles."
        )
    return Population(weights)


LOOKED_UP_BY_ROW = (
    "Each row was looked up in the population separately: all rows of a person together may fit "
    "fewer people."
)


def looked_up(classes: Classes) -> tuple[Classes, tuple[str, ...]]:
    """Classes whose keys can be looked up in a population, and a note about the lookup."""
    return (classes.by_row, (LOOKED_UP_BY_ROW,)) if classes.grouped else (classes, ())


def read_population(path: str, classes: Classes) -> pl.DataFrame:
    """Key columns of a population file; text keys of a CSV file are read as text.

    Other formats store the types of their columns. A relative path starts at the recipe's folder or
    the working directory.
    """
    place: str | Path = path if "://" in path else find(path)
    if not classes.columns:
        return read(place)  # without keys everybody is alike, but everybody counts
    if format_of(place).name != "csv":
        return read(place, columns=classes.columns)
    texts = [name for name, dtype in classes.keys.schema.items() if plain_text(dtype)]
    return read(place, columns=classes.columns, types=dict.fromkeys(texts, "text"))


def plain_text(dtype: pl.DataType) -> bool:
    """Whether a data type is text."""
    return dtype == pl.String or isinstance(dtype, pl.Categorical | pl.Enum)


def in_population(classes: Classes, population: pl.DataFrame) -> Population:
    """Count the people in each class; keys of different types are compared as text.

    With a missing key as a value of its own this is one join; as a wildcard, one per pair of
    patterns.
    """
    names = list(classes.columns)
    check_columns(names, population.columns)
    population = tidy_cells(population, names)
    if not names:
        return Population(np.full(classes.n_classes, float(population.height)))
    mine, theirs = _comparable(classes.keys, population.select(names))
    n = free_name("n", names)
    counted = theirs.group_by(names).len(n)
    amounts = counted[n]
    keys = counted.select(names)
    if classes.missing == "wildcard":
        counts = matched_sums(mine, amounts.cast(pl.Float64).to_numpy(), keys)[:, 0]
        reached = matched_sums(keys, np.ones(mine.height), mine, turned=True)[:, 0]
        return Population(counts, int(amounts.to_numpy()[reached == 0].sum()))
    joined = mine.join(counted, on=names, how="left", nulls_equal=True, maintain_order="left")
    counts = joined[n].fill_null(0).cast(pl.Float64).to_numpy()
    return Population(counts, population.height - int(counts.sum()))


def _comparable(mine: pl.DataFrame, theirs: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The same keys converted to one type."""
    left, right = [], []
    for name in mine.columns:
        ours, other = plain(mine[name]), plain(theirs[name])
        same = ours.dtype == other.dtype
        left.append(ours if same else as_text(ours))
        right.append(other if same else as_text(other))
    return pl.DataFrame(left), pl.DataFrame(right)
