"""Dates: day, month, quarter or season, year, decade, and other numbers of years."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from typing import ClassVar, Literal, Self

import polars as pl
from pydantic import Field, model_validator

from microveil.errors import HierarchyError
from microveil.files.columns.date_formats import is_partial, read_dates, reads
from microveil.files.columns.finding_dates import find_dates
from microveil.hierarchies.base import (
    HierarchyBuilder,
    distinct_values,
    with_star_on_top,
    wrong_kind,
)
from microveil.hierarchies.hierarchy import Hierarchy
from microveil.texts import join, phrase

Step = Literal[
    "day",
    "weekday",
    "week",
    "month",
    "quarter",
    "year_season",
    "season",
    "year",
    "five_years",
    "decade",
    "twenty_years",
    "fifty_years",
]

_LONG = frozenset(["twenty_years", "fifty_years"])
_YEARS = frozenset(["year", "five_years", "decade", *_LONG])
FOLLOWERS: dict[str, frozenset[str]] = {
    "day": frozenset(["weekday", "week", "month", "quarter", "year_season", "season", *_YEARS]),
    "weekday": frozenset(),
    "week": frozenset(),
    "month": frozenset(["quarter", "year_season", "season", *_YEARS]),
    "quarter": _YEARS,
    "year_season": frozenset(["season", *_YEARS]),
    "season": frozenset(),
    "year": _YEARS - {"year"},
    "five_years": frozenset(["decade", *_LONG]),
    "decade": _LONG,
    "twenty_years": frozenset(),
    "fifty_years": frozenset(),
}
"""The levels that each level nests in."""

MOMENT = "moment"
"""Name of level 0 if values have a time of day."""

DECEMBER = 12

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class Dates(HierarchyBuilder):
    """Dates to months, quarters or seasons, years, decades, and 5, 20 or 50 years.

    Labels: ``2021-03``, ``2021-Q1``, ``2021 Spring``, ``Spring``, ``2021``, ``2020s``,
    ``[2020, 2025)``, ``2021-W09`` (ISO week), ``Monday``. Seasons are whole months: December to
    February is winter.

    >>> from datetime import date
    >>> Dates(levels=["day", "season"]).build(pl.Series([date(2021, 12, 24)])).frame.rows()
    [(datetime.date(2021, 12, 24), 'Winter', '*')]
    """

    gap_hint: ClassVar[str] = phrase(
        "Correct values that are not dates, set `format` to how dates are written (default ISO)"
    )

    hierarchy: Literal["dates"] = "dates"
    levels: tuple[Step, ...] = Field(default=("day", "month", "quarter", "year", "decade"))
    """The chain of levels, finest first; each level must nest in the next."""
    format: str | None = None
    """Format of dates in a column of text (``%d/%m/%Y``; ISO by default) or of whole numbers
    (``%Y%m%d``)."""
    seasons: tuple[str, str, str, str] = ("Winter", "Spring", "Summer", "Autumn")
    """Names of the seasons, starting with December to February; swap them for the south."""
    december: Literal["same_year", "next_year"] = "same_year"
    """Which year's winter December joins in ``year_season``; next_year does not nest in years."""

    @model_validator(mode="after")
    def _nests(self) -> Self:
        problems = [
            phrase("'{fine}' does not nest in '{coarse}'", fine=fine, coarse=coarse)
            for fine, coarse in pairwise(self.levels)
            if coarse not in self._followers(fine)
        ]
        if problems:
            raise ValueError(
                phrase(
                    "Levels do not nest: {problems}. A valid chain is day, month, year.",
                    problems=join(problems, "; "),
                )
            )  # so that pydantic lists it with the recipe's other problems
        return self

    def _followers(self, step: str) -> frozenset[str]:
        torn = step == "year_season" and self.december == "next_year"
        return FOLLOWERS[step] - (_YEARS if torn else set())

    def level_index(self, hierarchy: Hierarchy, level: int | str) -> int:
        """Index of a level; numbers count the chain, so 1 is the same with and without times."""
        timed = hierarchy.names[0] == MOMENT
        if isinstance(level, int) and timed and 0 < level < hierarchy.height:
            return level + 1
        return hierarchy.level_index(level)

    def build(self, values: pl.Series) -> Hierarchy:
        """Label the distinct dates; text that is not a date is left out.

        If values have a time of day, they are level 0 (``moment``), and their day is level 1.
        """
        values = distinct_values(values)
        moments = self._moments(values)
        values = values.filter(moments.is_not_null())
        moments = moments.drop_nulls()
        timed = isinstance(moments.dtype, pl.Datetime)
        steps: list[str] = [step for step in self.levels if step != "day"]
        if timed:
            steps = ["day", *steps]
        frame = moments.to_frame("moment").select(self._label(step).alias(step) for step in steps)
        names = [MOMENT if timed else "day", *steps]
        return with_star_on_top([values, *frame.get_columns()], names)

    def _moments(self, values: pl.Series) -> pl.Series:
        """Values as dates, or as dates with a time; null if they are neither."""
        if values.dtype == pl.Date:
            return values
        if isinstance(values.dtype, pl.Datetime):
            return values.dt.replace_time_zone(None)
        if values.dtype.is_numeric() and self.format is not None:
            # A number has lost its leading zeros; one with a fraction is no date.
            width = len(datetime(2000, 11, 11, tzinfo=UTC).strftime(self.format))
            whole = values.cast(pl.Int64, strict=False)
            texts = whole.cast(pl.String).str.zfill(width)
            return self._read(texts.set(whole.cast(values.dtype) != values, None))
        if values.dtype != pl.String:
            raise wrong_kind(self, values, phrase("dates, or text that holds dates"))
        return self._read(values.str.strip_chars())

    def _read(self, text: pl.Series) -> pl.Series:
        if self.format is None:
            days = text.str.to_date("%Y-%m-%d", strict=False)
            if days.null_count() == 0:
                return days
            iso = text.str.replace(r"^(\d{4}-\d{2}-\d{2})T", "$1 ")
            moments = [
                iso.str.to_datetime(how, strict=False, time_unit="us")
                for how in ("%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%d %H:%M")
            ]
            if all(moment.null_count() == len(text) for moment in moments):
                self._refuse_other_formats(text, days)
                return days
            frame = pl.DataFrame([days.cast(pl.Datetime("us")), *moments], schema=["d", "s", "m"])
            return frame.select(pl.coalesce("d", "s", "m")).to_series()
        if reads(self.format) and not is_partial(self.format) and "%z" not in self.format:
            read = read_dates(pl.col(text.name), self.format).alias(text.name)
            return text.to_frame().select(read).to_series()
        if any(code in self.format for code in ("%H", "%I", "%T", "%R", "%s", "%c")):
            return text.str.to_datetime(self.format, strict=False, time_unit="us")
        return text.str.to_date(self.format, strict=False)

    def _refuse_other_formats(self, text: pl.Series, days: pl.Series) -> None:
        """Refuse dates of another format, of which nothing but ``*`` would be left."""
        found = find_dates(text) if len(text) and days.null_count() == len(text) else None
        if found is not None:
            raise HierarchyError(
                "Column '{name}' holds dates written as {written}. Say so in the recipe's "
                "`reading`, or as the hierarchy's `format`.",
                name=text.name,
                written=found.written,
            )

    def _label(self, step: str) -> pl.Expr:
        moment = pl.col("moment")
        number = moment.dt.year()
        year = _digits(number, 4)
        late = (moment.dt.month() == DECEMBER) & (self.december == "next_year")
        labels = {
            "day": moment.dt.to_string("%Y-%m-%d"),
            "weekday": _name(moment.dt.weekday() - 1, WEEKDAYS),
            "week": _digits(moment.dt.iso_year(), 4) + "-W" + _digits(moment.dt.week(), 2),
            "month": year + "-" + _digits(moment.dt.month(), 2),
            "quarter": year + "-Q" + moment.dt.quarter().cast(pl.String),
            "year_season": _digits(number + late.cast(pl.Int32), 4) + " " + self._season(),
            "season": self._season(),
            "year": year,
            "five_years": _stretch(number, 5),
            "decade": _digits(number // 10 * 10, 4) + "s",
            "twenty_years": _stretch(number, 20),
            "fifty_years": _stretch(number, 50),
        }
        return labels[step]

    def _season(self) -> pl.Expr:
        # December joins January and February: 12 % 12 = 0, 1 and 2 are the first three.
        return _name((pl.col("moment").dt.month() % 12) // 3, self.seasons)


def _name(number: pl.Expr, names: tuple[str, ...]) -> pl.Expr:
    return number.replace_strict(range(len(names)), names, return_dtype=pl.String)


def _stretch(year: pl.Expr, width: int) -> pl.Expr:
    """So many years, as an interval: ``[1980, 2000)``."""
    first = year // width * width
    return "[" + _digits(first, 4) + ", " + _digits(first + width, 4) + ")"


def _digits(number: pl.Expr, width: int) -> pl.Expr:
    return number.cast(pl.String).str.zfill(width)
