"""Reorder values by scores drawn from their conditional distribution."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
import polars as pl
from pydantic import model_validator

from microveil.arrays import Flags, Floats, Ints
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, apart, refuse_kinds, usable_frame
from microveil.methods.parts.facts import change_facts
from microveil.methods.parts.households import HouseholdColumns, by_household
from microveil.methods.parts.ranks import gather_from, needs_order, own_places, rank_order, sortable
from microveil.methods.parts.strata import strata_rows
from microveil.methods.shuffle.exact_draws import exact_noise, rank_scores, value_scores
from microveil.methods.shuffle.given_columns import known_columns, middle_ranks
from microveil.statistics.normal_scores import fit_copula
from microveil.tables import Table
from microveil.tables.kinds import has_order
from microveil.tables.roles import Columns


class Shuffle(Method):
    """Reorder the values of columns at random, preserving rank correlations.

    For each record a score is drawn from the normal copula of the columns' ranks, given the
    record's other columns; the r-th smallest value goes to the record with the r-th smallest score.
    A record's own values thus matter only through the correlations. Missing cells stay missing and
    do not count. Time grows as n log n, and with the square of the number of columns and
    categories. Source: Muralidhar & Sarathy (2006).

    >>> frame = {"age": [20, 30, 40, 50], "pay": [1, 2, 3, 4]}
    >>> Shuffle(columns="pay", given="age").protect(frame, seed=1)["pay"].to_list()
    [1, 2, 3, 4]
    """

    method: Literal["shuffle"] = "shuffle"
    columns: SomeColumns
    """Columns to shuffle: numbers, dates, times, durations or enums."""
    given: Columns = ()
    """Columns that are unchanged, and whose relations with the shuffled ones are preserved: numbers
    and dates by rank, others by category, missing being one. Without them, only relations among the
    shuffled columns are preserved."""
    model: Literal["ranks", "values"] = "ranks"
    """What is modelled as normal: the scores of the ranks (a normal copula), whatever the shape of
    the columns, or the values themselves, which preserves their Pearson correlations if they are
    normal."""
    exact: bool = False
    """Whether the scores have exactly the fitted correlations and none with the values they
    replace; otherwise both hold up to chance. Correlations are then preserved more closely."""
    by_strata: bool = True
    """Whether to shuffle within each of the roles' strata; has no effect without
    strata."""
    household_columns: HouseholdColumns = None
    """Columns that describe a household as a whole and are changed once for all its members, if the
    roles name a household; by default those that are constant within every household."""

    @model_validator(mode="after")
    def _given_others(self) -> Self:
        apart(self.columns, self.given, ("columns", "given"))
        return self

    @property
    def perturbative(self) -> bool:
        """Always: a value may end up in another record."""
        return True

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Shuffle the columns; the facts count the cells that changed."""
        return by_household(self, table, rng, Shuffle._change)

    def _change(self, table: Table, rng: np.random.Generator) -> Outcome:
        before = usable_frame(table, [*self.columns, *self.given], self.kind())
        refuse_kinds(before, self.columns, has_order, needs_order(self.kind()))
        strata = strata_rows(table, self.columns, apart=self.by_strata)
        names = [name for name in self.columns if before.schema[name] != pl.Null]
        columns = [before[name] for name in names]
        given = [before[name] for name in self.given if before.schema[name] != pl.Null]
        sources = [own_places(table.height) for _ in columns]
        values = [sortable(series) for series in columns]
        for rows in strata if columns else ():
            scores, present = self._scores(columns, given, rows, rng)
            for number, source in enumerate(sources):
                here = rows[present[:, number]]
                by_score = _by_score(scores[present[:, number], number], rng)
                source[here[by_score]] = rank_order(values[number], here, rng)
        shuffled = [gather_from(*pair) for pair in zip(columns, sources, strict=True)]
        after = before.with_columns(shuffled)
        facts: dict[str, Any] = change_facts(before, after, self.columns)
        facts["n_given"] = len(self.given)
        return Outcome(table.with_frame(after), facts)

    def _scores(
        self,
        columns: list[pl.Series],
        given: list[pl.Series],
        rows: Ints,
        rng: np.random.Generator,
    ) -> tuple[Floats, Flags]:
        """A random score for each of the rows and columns, and which cells are present."""
        everywhere = all(len(series) == len(rows) for series in columns)
        if not everywhere:
            columns = [series.gather(rows) for series in columns]
            given = [series.gather(rows) for series in given]
        present = np.column_stack([series.is_not_null().to_numpy() for series in columns])
        if self.model == "values":
            return value_scores(columns, given, rng, exact=self.exact), present
        ranks = np.column_stack([middle_ranks(series) for series in columns])
        known = known_columns(given, len(rows))
        copula = fit_copula(ranks, present, known)
        scores = copula.means(known)
        if self.exact:
            drawn = rng.standard_normal(scores.shape)
            scores += exact_noise(drawn, rank_scores(ranks, known), copula.residual)
        else:
            del ranks
            scores += copula.noise(len(rows), rng)
        return scores, present


def _by_score(scores: Floats, rng: np.random.Generator) -> Ints:
    return rank_order(scores, np.arange(len(scores), dtype=np.int32), rng)
