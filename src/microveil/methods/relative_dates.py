"""Replace dates by the time since another date of the same person."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, usable_frame
from microveil.methods.parts.date_columns import EARLIEST, date_frame
from microveil.methods.parts.persons import person_column, person_texts
from microveil.tables import Table
from microveil.tables.calendar_days import completed_years, days_of

FIRST = "first"


class RelativeDates(Method):
    """Replace dates by the days since another date: the person's first, birth, admission.

    No calendar date is left in these columns, and intervals stay exact to the day. Days are days of
    the calendar: 23:00 to 1:00 is one. Earlier dates give negative numbers; missing where either
    date is missing. Spans beyond ``oldest`` years, which would show an age, all become the same
    number (HIPAA, 45 CFR 164.514(b)(2)(i)(C)). The date that is counted from is not changed: drop
    it or coarsen it, or every date can be computed again. Takes one pass over the columns.

    >>> from datetime import date
    >>> frame = {"in": [date(2024, 1, 30)], "out": [date(2024, 2, 2)]}
    >>> RelativeDates(columns=["out"], since="in").protect(frame)["out"].to_list()
    [3]
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("since", "unit", "oldest")
    method: Literal["relative_dates"] = "relative_dates"
    columns: SomeColumns = ()
    """Columns of dates to replace."""
    since: str = FIRST
    """Column of the date to count from, in the same row (birth, admission), or ``first``: the
    person's first date in any of the columns."""
    per: str | None = None
    """Column that tells people apart, for their first date; by default the roles' entity, without
    which each row is a person."""
    unit: Literal["days", "weeks", "years"] = "days"
    """Whether to count days, or completed weeks or years."""
    oldest: int | None = Field(default=89, ge=1)
    """Longest span in completed years that may show; longer ones become one number, the start of
    the next year. Null shows all."""
    earliest_year: int = Field(default=EARLIEST, ge=1)
    """Dates before this year are taken for slips and refused."""

    @property
    def row_wise(self) -> bool:
        """Unless the person's first date has to be found."""
        return self.since != FIRST

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  no chance
        """Count the days; the facts count cells by column."""
        known = self.since in table.columns
        from_first = self.since == FIRST and not known
        named = list(dict.fromkeys([*self.columns, *([] if from_first else [self.since])]))
        usable_frame(table, named, self.kind())
        dates = date_frame(table.frame, named, self.kind(), self.earliest_year)
        days = dates.select(days_of(column).alias(column.name) for column in dates.iter_columns())
        start = self._first(table, days) if from_first else days[self.since]
        spans = [self._span(days[name], start) for name in self.columns]
        facts: dict[str, Any] = {
            "n_changed": {one.name: len(one) - one.null_count() for one in spans},
            "n_missing": {one.name: one.null_count() for one in spans},
        }
        if self.oldest is not None:
            facts["n_too_long"] = {
                name: int(_too_long(start, days[name], self.oldest).sum()) for name in self.columns
            }
        return Outcome(table.with_columns(spans), facts)

    def _first(self, table: Table, days: pl.DataFrame) -> pl.Series:
        """The first date of each row's person."""
        first = days.select(pl.min_horizontal(self.columns).alias("day"))
        if self.per is None and table.roles.entity is None:
            return first.to_series()
        name = person_column(table, self.per, self.kind())
        persons = person_texts(table, name, self.kind()).alias("person")
        return first.with_columns(persons).select(pl.col("day").min().over("person")).to_series()

    def _span(self, days: pl.Series, start: pl.Series) -> pl.Series:
        between = (days - start).dt.total_days()
        if self.unit == "years":
            span = completed_years(start, days)
        else:
            span = between // 7 if self.unit == "weeks" else between
        if self.oldest is not None:
            too_long = _too_long(start, days, self.oldest)
            longest = between.sign().cast(span.dtype) * self._longest()
            span = span.zip_with(~too_long, longest)
        return span.cast(pl.Int32).alias(days.name)

    def _longest(self) -> int:
        """The one number of all spans that are too long: above every span that may show."""
        years = (self.oldest or 0) + 1
        days = 365 * years + years // 4 + 1
        return {"years": years, "days": days, "weeks": days // 7 + 1}[self.unit]


def _too_long(start: pl.Series, days: pl.Series, oldest: int) -> pl.Series:
    """Whether more than these years lie between, in either direction."""
    forward, backward = completed_years(start, days), completed_years(days, start)
    return ((forward > oldest) | (backward > oldest)).fill_null(value=False)
