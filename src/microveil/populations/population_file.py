"""Population files: how many people in a population table share the keys of each class."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.files import format_of, read, scan
from microveil.hierarchies.text_files import find
from microveil.tables.cells import tidy_cells
from microveil.tables.missing_keys import matched_people, matched_sums
from microveil.tables.names import free_name
from microveil.tables.people import number_people
from microveil.tables.roles import check_columns
from microveil.tables.values import as_text, plain
from microveil.texts import Message

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.arrays import Flags, Floats, Longs
    from microveil.tables import Classes


class Population(NamedTuple):
    """A population matched to the classes of a table."""

    counts: NDArray[np.float64]
    """People in the population who match each class."""
    n_outside: int = 0
    """People who match no class of the table."""
    notes: tuple[str, ...] = ()
    """What a reader should know about how they were counted."""


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
            "{model} needs a population: the path of a file with the same quasi-identifiers, "
            "or a weight column in the roles.",
            model=model,
        )
    return Population(weights)


LOOKED_UP_BY_ROW = (
    "Each row was looked up in the population separately: all rows of a person together may fit "
    "fewer people."
)


def looked_up(classes: Classes) -> tuple[Classes, tuple[str, ...]]:
    """Classes whose keys can be looked up in a population, and a note about the lookup."""
    return (classes.by_row, (LOOKED_UP_BY_ROW,)) if classes.grouped else (classes, ())


def fitting(classes: Classes, population: pl.DataFrame) -> Floats:
    """People in the population who may be those of each class: as many as fit their rarest row."""
    rows, _ = looked_up(classes)
    counts = in_population(rows, population).counts
    if rows is classes:
        return counts
    fewest = np.full(classes.n_classes, np.inf)
    np.minimum.at(fewest, classes.record_class, counts[rows.record_class])
    return fewest


def read_population(path: str, classes: Classes) -> pl.DataFrame:
    """Key columns of a population file, and the entity's, if the file has it.

    Text keys of a CSV file are read as text; other formats store the types of their columns. A
    relative path starts at the recipe's folder or the working directory.
    """
    place: str | Path = path if "://" in path else find(path)
    if not classes.columns:
        return read(place)  # without keys everybody is alike, but everybody counts
    columns = list(classes.columns)
    if classes.entity is not None and classes.entity in _names(place):
        columns = list(dict.fromkeys([*columns, classes.entity]))
    if format_of(place).name != "csv":
        return read(place, columns=columns)
    texts = [name for name, dtype in classes.keys.schema.items() if plain_text(dtype)]
    return read(place, columns=columns, types=dict.fromkeys(texts, "text"))


def _names(place: str | Path) -> list[str]:
    """The columns of a file."""
    if format_of(place).lazy:
        return scan(place).collect_schema().names()
    return read(place).columns


def plain_text(dtype: pl.DataType) -> bool:
    """Whether a data type is text."""
    return dtype == pl.String or isinstance(dtype, pl.Categorical | pl.Enum)


def in_population(classes: Classes, population: pl.DataFrame) -> Population:
    """Count the people in each class; keys of different types are compared as text.

    Each row is a person, unless the table's people have several rows and the population has the
    column that tells them apart: then each person counts once. With a missing key as a value of its
    own this is one join; as a wildcard, one per pair of patterns.
    """
    names = list(classes.columns)
    check_columns(names, population.columns)
    who = _people(classes, population)
    notes = () if who is not None or classes.people is None else (_rows_counted(classes),)
    n_people = population.height if who is None else int(who.max(initial=-1)) + 1
    if not names:
        return Population(np.full(classes.n_classes, float(n_people)), 0, notes)
    mine, theirs = _comparable(classes.keys, tidy_cells(population, names).select(names))
    held = _hold(theirs, np.arange(population.height) if who is None else who)
    if classes.missing == "wildcard":
        counts, reached = _matching(mine, held)
    else:
        counts, reached = _equal(mine, held)
    n_inside = len(np.unique(held.person[reached[held.key]]))
    return Population(counts, n_people - n_inside, notes)


def _people(classes: Classes, population: pl.DataFrame) -> Longs | None:
    """Person of each row, if the population tells people apart as the table does."""
    entity = classes.entity
    if entity is None or entity not in population.columns:
        return None
    return number_people(population[entity])


def _rows_counted(classes: Classes) -> str:
    return Message(
        "check.population_rows",
        "The population has no column '{entity}', so each of its rows was counted as one person.",
        entity=classes.entity,
    )


class _Held(NamedTuple):
    """Who has which keys: each pair of a key combination and a person once."""

    keys: pl.DataFrame
    """Distinct key combinations."""
    key: Longs
    person: Longs

    @property
    def counts(self) -> Longs:
        """People who have each key combination."""
        return np.bincount(self.key, minlength=self.keys.height)


def _hold(keys: pl.DataFrame, who: Longs) -> _Held:
    number = free_name("number", keys.columns)
    distinct = keys.unique(maintain_order=True).with_row_index(number)
    names = keys.columns
    placed = keys.join(distinct, on=names, how="left", nulls_equal=True, maintain_order="left")
    n = int(who.max(initial=-1)) + 1
    pairs = np.unique(placed[number].cast(pl.Int64).to_numpy() * max(n, 1) + who)
    key, person = np.divmod(pairs, max(n, 1))
    return _Held(distinct.select(names), key, person)


def _equal(mine: pl.DataFrame, held: _Held) -> tuple[Floats, Flags]:
    """People with each class's keys, and which of their keys are some class's."""
    n = free_name("n", mine.columns)
    counted = held.keys.with_columns(pl.Series(n, held.counts))
    names = mine.columns
    joined = mine.join(counted, on=names, how="left", nulls_equal=True, maintain_order="left")
    known = mine.with_columns(pl.lit(value=True).alias(n))
    reached = held.keys.join(known, on=names, how="left", nulls_equal=True, maintain_order="left")
    counts = joined[n].fill_null(0).cast(pl.Float64).to_numpy()
    return counts, reached[n].is_not_null().to_numpy()


def _matching(mine: pl.DataFrame, held: _Held) -> tuple[Floats, Flags]:
    """The same, where a missing key matches every value."""
    from microveil.kernels.blanking.wildcard_matches import Held

    several = np.bincount(held.person)[held.person] > 1
    alone = np.bincount(held.key[~several], minlength=held.keys.height).astype(np.float64)
    counts = matched_sums(mine, alone, held.keys)[:, 0]
    if several.any():
        start = np.searchsorted(held.key[several], np.arange(held.keys.height + 1))
        _, person = np.unique(held.person[several], return_inverse=True)
        once = np.ones(len(person), dtype=np.int64)
        entries = Held(start, person, once, once.astype(np.float64))
        counts = counts + matched_people(mine, entries, held.keys)[:, 0]
    reached = matched_sums(held.keys, np.ones(mine.height), mine, turned=True)[:, 0] > 0
    return counts, reached


def _comparable(mine: pl.DataFrame, theirs: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The same keys converted to one type."""
    left, right = [], []
    for name in mine.columns:
        ours, other = plain(mine[name]), plain(theirs[name])
        same = ours.dtype == other.dtype
        left.append(ours if same else as_text(ours))
        right.append(other if same else as_text(other))
    return pl.DataFrame(left), pl.DataFrame(right)
