"""Change categories at random with known probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field, model_validator

from microveil.errors import ColumnError
from microveil.kernels.swapping.draw_categories import draw_categories, ready
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.categories import CodeArray, Coded, Label, encode_categories
from microveil.methods.parts.columns import SomeColumns, usable_frame
from microveil.methods.parts.households import HouseholdColumns, by_household
from microveil.methods.parts.transitions import (
    Matrix,
    Spread,
    Vector,
    invariant_matrix,
    retention_matrix,
    soften,
)
from microveil.tables import Classes, Table
from microveil.texts import Message, phrase

Probability = Annotated[float, Field(ge=0, le=1)]
Given = Mapping[Label, Mapping[Label, Probability]] | tuple[tuple[Probability, ...], ...]
Rows = slice | NDArray[np.int64]

MOST_CATEGORIES = 1000
"""Beyond this a column is hardly categorical, and its matrix is no longer small."""
MOST_REPORTED = 10_000
"""Largest number of matrix cells of a column that are reported in the facts."""
SUM_TOLERANCE = 1e-6
BLOCK = 1 << 16
"""Records drawn for at a time, which keeps memory low and caches warm."""


class Pram(Method):
    """Change categories at random by a transition matrix (post-randomisation, PRAM).

    Each value is replaced by one drawn from its category's row of the matrix (Gouweleeuw, Kooiman,
    Willenborg & de Wolf 1998). The matrix is given, built from the probabilities that categories
    are kept, or made invariant, so that expected frequencies are the original ones. If the roles
    name strata, each has its own matrix of the categories that occur in it. Missing stays missing.
    The facts contain the matrix; ``estimate_frequencies`` inverts it. Time and memory grow with the
    number of records.

    >>> step = Pram(columns="sex", retention=0.9, invariant=True)
    >>> step.protect({"sex": ["f", "m", "f", None]}, seed=3)["sex"].to_list()
    ['f', 'f', 'f', None]
    """

    method: Literal["pram"] = "pram"
    columns: SomeColumns = ()
    """Categorical columns: text, booleans or whole numbers."""
    retention: Probability | Mapping[Label, Probability] | None = None
    """Probability that a value is kept: one for all categories, or one for each."""
    matrix: Given | None = None
    """Instead of a retention, the probability of each category (inner) given the original one
    (outer): by name, where omitted entries are 0, or as rows of numbers in the order of
    ``categories``. Every row sums to one."""
    categories: tuple[Label, ...] | None = Field(default=None, min_length=1)
    """All possible values; by default those that occur. A matrix by name and a retention by
    category already name them."""
    spread: Spread = "evenly"
    """How the other categories share the remaining probability: evenly, or by_frequency."""
    draw_retention: bool = False
    """Whether retention is only a lower bound, each category's own being drawn between it and 1."""
    invariant: bool = False
    """Whether to follow the matrix by its Bayes inverse, to preserve expected frequencies."""
    alpha: float = Field(default=1.0, ge=0, le=1)
    """Share of the records that the matrix is applied to; the others are unchanged."""
    by_strata: bool = True
    """Whether each of the roles' strata has its own matrix; has no effect without strata."""
    household_columns: HouseholdColumns = None
    """Columns that describe a household as a whole and are changed once for all its members, if the
    roles name a household; by default those that are constant within every household."""

    @model_validator(mode="after")
    def _one_matrix(self) -> Self:
        if (self.retention is None) == (self.matrix is None):
            raise ValueError("Give either retention or matrix.")
        if self.matrix is not None and (self.draw_retention or self.spread != "evenly"):
            raise ValueError("spread and draw_retention go with retention, not with a matrix.")
        by_name = isinstance(self.matrix, Mapping) or isinstance(self.retention, Mapping)
        if by_name and self.categories is not None:
            raise ValueError("The categories are already named; leave out the field categories.")
        if self.matrix is not None:
            _check_matrix(self.matrix, self.categories)
        return self

    @property
    def perturbative(self) -> bool:
        """Always: a category may be wrong."""
        return True

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Change the columns; the facts count the changes and contain the matrices.

        Matrices are numbered: categories as given, otherwise ascending; strata ascending.
        """
        return by_household(self, table, rng, Pram._change)

    def _change(self, table: Table, rng: np.random.Generator) -> Outcome:
        strata = table.roles.strata if self.by_strata else ()
        frame = usable_frame(table, [*self.columns, *strata], self.kind())
        _refuse_strata(self.columns, strata)
        pieces = list(_pieces(table, strata))
        transition = "transition_by_stratum" if strata else "transition"
        facts: dict[str, Any] = {
            "n_changed": {},
            "n_missing": {name: frame[name].null_count() for name in self.columns},
            "n_categories": {},
            "n_strata": len(pieces),
            transition: {},
        }
        changed = []
        for name in self.columns:
            column = encode_categories(frame[name], self.labels, self.kind())
            refuse_too_many(column)
            drawn, matrices = self._draw(column, pieces, rng)
            facts["n_changed"][name] = int((column.codes != drawn).sum())
            facts["n_categories"][name] = len(column.categories)
            facts[transition][name] = matrices if strata or not matrices else matrices[0]
            if len(column.categories) and frame.schema[name] != pl.Null:
                changed.append(column.decode(drawn))
        return Outcome(table.with_columns(changed), facts)

    @property
    def labels(self) -> tuple[str, ...] | None:
        """The categories that the step names, where it does."""
        for named in (self.matrix, self.retention):
            if isinstance(named, Mapping):
                return tuple(named)
        return self.categories

    def _draw(
        self, column: Coded, pieces: Sequence[Rows], rng: np.random.Generator
    ) -> tuple[CodeArray, list[list[list[float]]] | None]:
        """New codes, and the matrix of each stratum unless there are too many cells to report."""
        n = len(column.categories)
        drawn = column.codes.copy()
        report = len(pieces) * n * n <= MOST_REPORTED
        matrices = []
        for rows in pieces if n else ():
            codes = drawn[rows]
            matrix = self.matrix_of(np.bincount(codes + 1, minlength=n + 1)[1:], rng)
            draws = ready(matrix)
            for start in range(0, len(codes), BLOCK):
                part = codes[start : start + BLOCK]
                codes[start : start + BLOCK] = draw_categories(part, draws, rng.random(len(part)))
            drawn[rows] = codes
            if report:
                matrices.append(matrix.tolist())
        return drawn, matrices if report else None

    def matrix_of(self, counts: NDArray[np.int64], rng: np.random.Generator) -> Matrix:
        """The matrix applied to records, given the number of records in each category."""
        n = len(counts)
        # If no categories are named, a stratum has those that occur in it.
        there = np.flatnonzero(counts) if self.labels is None else np.arange(n)
        if not len(there):
            return np.eye(n)
        total = counts.sum()
        shares = counts[there] / total if total else np.full(len(there), 1 / len(there))
        part = self._first_stage(there, shares, rng)
        if self.invariant:
            part = invariant_matrix(part, shares)
        matrix = np.eye(n)
        matrix[np.ix_(there, there)] = soften(part, self.alpha)
        return matrix

    def _first_stage(
        self, there: NDArray[np.int64], shares: Vector, rng: np.random.Generator
    ) -> Matrix:
        """The matrix before it is made invariant."""
        if self.matrix is not None:
            given = _rows(self.matrix)
            given /= given.sum(axis=1, keepdims=True)
            return given
        if isinstance(self.retention, Mapping):
            retention = np.array(list(self.retention.values()))
        else:
            retention = np.full(len(there), self.retention, dtype=np.float64)
        if self.draw_retention:
            retention = retention + (1 - retention) * rng.random(len(there))
        return retention_matrix(retention, shares, self.spread)


def _rows(matrix: Given) -> Matrix:
    """The given matrix as numbers; entries omitted by name are 0."""
    if isinstance(matrix, Mapping):
        return np.array([[row.get(name, 0.0) for name in matrix] for row in matrix.values()])
    return np.array(matrix, dtype=np.float64)


def _check_matrix(matrix: Given, categories: Sequence[str] | None) -> None:
    """Raise ``ValueError`` (for a validator) unless the matrix is a valid transition matrix."""
    n = len(matrix)
    if isinstance(matrix, Mapping):
        n_strange = len({name for row in matrix.values() for name in row} - set(matrix))
        if n_strange:
            raise ValueError(
                phrase(
                    "{n_strange} categories of the matrix have no row of their own.",
                    n_strange=n_strange,
                )
            )
    elif categories is None or len(categories) != n:
        n_named = Message("noun.none", "none") if categories is None else len(categories)
        raise ValueError(
            phrase(
                "A matrix of {n} rows needs {n} categories; there are {n_named}.",
                n=n,
                n_named=n_named,
            )
        )
    elif any(len(row) != n for row in matrix):
        raise ValueError(phrase("A matrix of {n} rows needs {n} numbers in each row.", n=n))
    n_wrong = int((abs(_rows(matrix).sum(axis=1) - 1) > SUM_TOLERANCE).sum()) if n else 1
    if n_wrong:
        raise ValueError(
            phrase("{n} rows of the matrix do not sum to one.", n=n_wrong) if n else "No rows."
        )


def _pieces(table: Table, strata: Sequence[str]) -> Iterator[Rows]:
    """The records of each stratum, strata ascending; all records if there are none."""
    if not strata:
        yield slice(None)
        return
    classes = Classes.of(table, strata)
    keys = classes.keys.with_columns(pl.col(pl.Categorical).cast(pl.String))
    # Class numbers depend on the order of processing; draws must not.
    keys.columns = [str(number) for number in range(keys.width)]
    by_key = keys.with_row_index("row").sort(keys.columns, nulls_last=True)["row"].to_numpy()
    order = np.argsort(classes.record_class, kind="stable")
    ends = np.cumsum(classes.record_counts)
    for stratum in by_key:
        yield order[ends[stratum] - classes.record_counts[stratum] : ends[stratum]]


def _refuse_strata(columns: Sequence[str], strata: Sequence[str]) -> None:
    both = [name for name in columns if name in strata]
    if both:
        raise ColumnError(
            "Column {both:quoted} is one of the strata within which step 'pram' works. "
            "Remove it from one of them, or set by_strata to false.",
            both=both,
        )


def refuse_too_many(column: Coded) -> None:
    """Raise for a column that is hardly one of categories."""
    if len(column.categories) > MOST_CATEGORIES:
        raise ColumnError(
            "Column '{name}' has {n_categories} categories, and step 'pram' can use at most "
            "{most_categories}. Generalize or group them first.",
            name=column.name,
            n_categories=len(column.categories),
            most_categories=MOST_CATEGORIES,
        )
