"""Shift all dates of a person by one secret number of days."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.arrays import Longs
from microveil.errors import InputError
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, usable_frame
from microveil.methods.parts.date_columns import EARLIEST, add_days, date_frame
from microveil.methods.parts.persons import keyed_numbers, person_column, person_texts
from microveil.methods.parts.secret_keys import Fingerprint, key_fingerprint, key_for, read_key
from microveil.tables import Table
from microveil.tables.calendar_days import completed_years, days_of

YEAR = 365.2425
SEASON_DAYS = 15
"""Days by which a date may move within the year where the season is kept."""
PURPOSE = "shift of dates"


class ShiftDates(Method):
    """Shift all dates of a person by one secret number of days, so that intervals stay exact.

    The shift is drawn by a keyed hash (HMAC-SHA-256) of the person's id: it is the same in every
    column, table, file and run with the same key, and nobody without the key can tell it. Zero is
    drawn only where nothing else is possible. Missing stays missing, times of day stay as they are.
    A person who is singled out by their intervals is singled out still, and one true date of a
    person gives all others away: shift every date, or drop it. Time grows with the rows, and by two
    microseconds for each person.
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("unit", "most_days", "keep", "oldest")
    secret_parameters: ClassVar[tuple[str, ...]] = ("key_env", "key_file", "key_fingerprint")
    method: Literal["shift_dates"] = "shift_dates"
    columns: SomeColumns = ()
    """Columns of dates or of dates with times; all of one person move together."""
    per: str | None = None
    """Column that tells people apart; by default the roles' entity."""
    unit: Literal["days", "weeks"] = "days"
    """Whether to shift by days, or by whole weeks, which keeps the weekday."""
    most_days: int = Field(default=365, ge=7, le=36_500)
    """Largest shift, forwards or backwards, in days."""
    keep: tuple[Literal["weekday", "season", "year"], ...] = ()
    """What stays true of each date: its weekday, its season (it moves at most 15 days within the
    year) or its year. The year leaves little room, and the shift then depends on the person's dates
    in this table."""
    birth: str | None = None
    """Column of the date of birth, if ages must not show: it becomes missing for people older than
    ``oldest`` on one of their dates. It is shifted if it is among the columns."""
    oldest: int = Field(default=89, ge=1)
    """Highest age, in completed years, that may show where ``birth`` is named; 89 by HIPAA."""
    earliest_year: int = Field(default=EARLIEST, ge=1)
    """Dates before this year are taken for slips and refused."""
    key_env: str = Field(default="MICROVEIL_KEY", min_length=1)
    """Environment variable that holds the secret key."""
    key_file: Path | None = None
    """File that holds the secret key, instead of the environment variable."""
    key_fingerprint: Fingerprint = None
    """Fingerprint that the key must have (`microveil pseudonyms fingerprint`): a run with any other
    key is refused."""
    domain: str | None = None
    """Name of a use. Different names give different shifts, so that two releases under one key
    cannot be laid side by side."""

    @property
    def row_wise(self) -> bool:
        """Unless a person's other rows matter: for their year, or for their age."""
        return "year" not in self.keep and self.birth is None

    @property
    def draws(self) -> bool:
        """Never: the key decides, so that other tables and runs agree."""
        return False

    @property
    def perturbative(self) -> bool:
        """Always: a date is no longer the true one."""
        return True

    def touches(self, table: Table) -> tuple[str, ...]:  # noqa: ARG002  named, whatever the table
        """The dates, and the date of birth."""
        return tuple(dict.fromkeys([*self.columns, *([self.birth] if self.birth else [])]))

    def candidates(self) -> Longs:
        """The shifts that the policy allows, ascending, without zero; a week is always one."""
        days = np.arange(-self.most_days, self.most_days + 1)
        allowed = days != 0
        if self.unit == "weeks" or "weekday" in self.keep:
            allowed &= days % 7 == 0
        if "season" in self.keep:
            allowed &= np.abs(days - YEAR * np.round(days / YEAR)) <= SEASON_DAYS
        chosen: Longs = days[allowed]
        return chosen

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  the key decides
        """Shift the columns; the key is read here and not stored."""
        named = self.touches(table)
        usable_frame(table, named, self.kind())
        dates = date_frame(table.frame, named, self.kind(), self.earliest_year)
        person = person_column(table, self.per, self.kind())
        persons = person_texts(table, person, self.kind())
        key = read_key(self.key_env, self.key_file, self.key_fingerprint)
        secret = key_for(key_for(key, PURPOSE), self.domain)
        shifts = pl.Series(self._shifts(dates.select(self.columns), persons, secret))
        too_old = self._too_old(dates, persons)
        moved = [add_days(dates[name], shifts) for name in self.columns]
        after = table.with_columns(moved)
        facts: dict[str, Any] = {
            "n_changed": {name: dates.height - dates[name].null_count() for name in self.columns},
            "n_missing": {name: dates[name].null_count() for name in self.columns},
            "other_dates": self._other_dates(table),
            "key_fingerprint": key_fingerprint(key),
        }
        if too_old is not None and self.birth is not None:
            blanked = pl.when(~too_old).then(pl.col(self.birth)).alias(self.birth)
            after = after.with_columns([after.frame.select(blanked).to_series()])
            facts["n_births_blanked"] = int((too_old & dates[self.birth].is_not_null()).sum())
        return Outcome(after, facts)

    def _shifts(self, dates: pl.DataFrame, persons: pl.Series, secret: bytes) -> Longs:
        """The shift of each row, in days."""
        numbers, days = keyed_numbers(persons, secret), self.candidates()
        if "year" not in self.keep:
            shifts: Longs = days[numbers % len(days)]
            return shifts
        low, high = _room_in_years(dates, persons)
        first, last = np.searchsorted(days, low), np.searchsorted(days, high, side="right")
        n_stuck = int(persons.filter(pl.Series(last == first)).n_unique())
        if n_stuck:
            raise InputError(
                "1 person has dates so early and so late in the year that no shift keeps the year. "
                "Do not keep it, or leave the person out.",
                many="{n:,} people have dates so early and so late in the year that no shift keeps "
                "the year. Do not keep it, or leave these people out.",
                n=n_stuck,
            )
        kept: Longs = days[first + numbers % np.maximum(last - first, 1)]
        return kept

    def _too_old(self, dates: pl.DataFrame, persons: pl.Series) -> pl.Series | None:
        """Whether each row's person is older than may show on one of their dates."""
        if self.birth is None or dates.schema[self.birth] == pl.Null:
            return None
        others = [name for name in self.columns if name != self.birth]
        days = dates.select(
            day=pl.max_horizontal([days_of(dates[name]) for name in others] or [pl.lit(None)]),
            birth=days_of(dates[self.birth]),
        ).with_columns(persons.alias("person"))
        known = days.with_columns(pl.col("day").cast(pl.Date).max().over("person"))
        ages = completed_years(known["birth"], known["day"])
        old = known.with_columns(old=(ages > self.oldest).fill_null(value=False))
        return old.select(pl.col("old").any().over("person")).to_series()

    def _other_dates(self, table: Table) -> list[str]:
        """Columns of dates that keep their true values, which give the shift away."""
        return [
            name
            for name, dtype in table.frame.schema.items()
            if dtype in (pl.Date, pl.Datetime) and name not in self.columns
        ]


def _room_in_years(dates: pl.DataFrame, persons: pl.Series) -> tuple[Longs, Longs]:
    """The least and the largest shift that leave every date of a row's person in its year."""
    days = dates.select(days_of(column).alias(column.name) for column in dates.iter_columns())
    lows = [(pl.col(name).dt.ordinal_day().cast(pl.Int64) - 1) for name in days.columns]
    highs = [
        pl.lit(365) + pl.col(name).dt.is_leap_year().cast(pl.Int64) - pl.col(name).dt.ordinal_day()
        for name in days.columns
    ]
    room = days.select(
        low=pl.min_horizontal(lows), high=pl.min_horizontal(highs), person=persons
    ).select(pl.col("low", "high").min().over("person").fill_null(366))
    return -room["low"].to_numpy(), room["high"].to_numpy()
