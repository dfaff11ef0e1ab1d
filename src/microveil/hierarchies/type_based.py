"""Hierarchies based on a column's type alone, in the absence of one based on meaning."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import polars as pl

from microveil.hierarchies.base import (
    HierarchyBuilder,
    distinct_values,
    with_star_on_top,
    wrong_kind,
)
from microveil.hierarchies.hierarchy import STAR, Hierarchy
from microveil.hierarchies.spelling import Ignored, normal_form
from microveil.tables.kinds import refuse_unwritable
from microveil.tables.values import as_text
from microveil.texts import Message, phrase

Kind = Literal["character", "integer", "decimal", "date", "string"]

NUMBER = r"^[+-]?\d+(\.\d+)?$"
DAY_FORMATS = ("%d/%m/%Y", "%Y-%m-%d", "%d-%m-%Y", "%d.%m.%Y", "%Y/%m/%d")
DATE_WORDS = (
    Message("level.month", "month"),
    Message("level.year", "year"),
    Message("level.decade", "decade"),
    Message("level.century", "century"),
    Message("level.millennium", "millennium"),
)
"""Levels of dates; beyond them nothing is left of a year."""
DAY_PATTERN = r"^\s*(\d{2}([/.-])\d{2}[/.-]\d{4}|\d{4}[/-]\d{2}[/-]\d{2})\s*$"


class Types(HierarchyBuilder):
    """Generalise by type: drop digits of numbers, parts of dates, letters of text.

    Character: ``*``. Integer: x − x mod 10ⁱ, up to 0 for all. Decimal: cut to the fewest decimals
    present, then one fewer per level, then as integer. Date: mm/yyyy, yyyy, then the year as
    integer. String: cut to the shortest length present, then one letter fewer per level. ``*`` is
    above all. Numbers are cut towards zero, negative ones too, so that all meet at 0.

    >>> Types().build(pl.Series([1234])).frame.rows()
    [(1234, '1230', '1200', '1000', '0', '*')]
    """

    hierarchy: Literal["types"] = "types"
    ignore: tuple[Ignored, ...] = ()
    """What is ignored in texts before they are shortened: ``case``, ``accents``, ``blanks``."""
    type: Kind | None = None
    """How to interpret the values; by default by the column's type."""

    @property
    def row_wise(self) -> bool:
        """Whether labels depend on one value alone; lengths and decimals depend on the column."""
        return False

    def build(self, values: pl.Series) -> Hierarchy:
        """Shorten the distinct values level by level; values of another type are left out."""
        values = distinct_values(values)
        match self.type or self._kind(values):
            case "character":
                return with_star_on_top([values])
            case "integer":
                return _integers(values)
            case "decimal":
                return _decimals(values)
            case "date":
                return _dates(values)
            case "string":
                return _strings(values, self.ignore)

    def titles(self, hierarchy: Hierarchy) -> tuple[str, ...]:
        """What is left of a value at each level: ``month``, ``decade``, ``first 3 characters``."""
        first, *others = hierarchy.frame.get_columns()
        kind = self.type or self._kind(first)
        words = _words(kind, first, others[:-1])
        told = super().titles(hierarchy)
        return (told[0], *words, *told[1 + len(words) :])

    def _kind(self, values: pl.Series) -> Kind:
        dtype = values.dtype
        if dtype == pl.Boolean:
            return "character"
        if dtype == pl.String:
            return _kind_of_text(values)
        if dtype.is_integer():
            return "integer"
        if dtype.is_float() or dtype.is_decimal():
            return "decimal"
        if dtype == pl.Date or isinstance(dtype, pl.Datetime):
            return "date"
        raise wrong_kind(self, values, phrase("text, numbers or dates"))


def _words(kind: Kind, values: pl.Series, levels: list[pl.Series]) -> list[str]:
    """Words for the levels between the value itself and ``*``."""
    match kind:
        case "string":
            longest = [_span(level.filter(level != STAR).str.len_chars())[1] for level in levels]
            return [
                Message("level.first", "first character", many="first {n} characters", n=one)
                for one in longest
            ]
        case "date":
            return [*DATE_WORDS[: len(levels)], *map(_years, range(len(DATE_WORDS), len(levels)))]
        case "decimal":
            cuts = _cut_decimals(_write(values))[2]
            return [*map(_decimals_left, cuts), *_widths(len(levels) - len(cuts))]
        case _:
            return _widths(len(levels))


def _widths(n: int) -> list[str]:
    """Words for levels that set one, two, … digits to 0."""
    return [
        Message("level.width", "width {width}", width=f"1{'0' * count}")
        for count in range(1, n + 1)
    ]


def _years(level: int) -> str:
    return Message("level.years", "{width} years", width=f"1{'0' * (level - 1)}")


def _decimals_left(n: int) -> str:
    if n == 0:
        return Message("level.whole", "whole number")
    return Message("level.decimals", "1 decimal", many="{n} decimals", n=n)


def _kind_of_text(values: pl.Series) -> Kind:
    """Texts in a date format are dates, and those with decimals are numbers.

    Digits alone are numbers if their lengths differ: codes have leading zeros or one length, and
    stay text unless ``type: integer`` is given.
    """
    if (values.str.len_chars() <= 1).all():
        return "character"
    if values.str.contains(DAY_PATTERN).all() and _days(values).is_not_null().all():
        return "date"
    if not values.str.contains(NUMBER).all():
        return "string"
    if values.str.contains(".", literal=True).any():
        return "decimal"
    coded = values.str.contains(r"^[+-]?0\d").any() or values.str.len_chars().n_unique() == 1
    return "string" if coded else "integer"


def _integers(values: pl.Series) -> Hierarchy:
    text = as_text(values)
    whole = text.str.contains(r"^[+-]?\d+$")
    return with_star_on_top([values.filter(whole), *_falling_digits(text.filter(whole))])


def _falling_digits(text: pl.Series) -> list[pl.Series]:
    """Whole numbers with one, two, … all of their digits set to 0.

    Digits of text: numbers of any length, no rounding. The sign goes once nothing else is left.
    """
    sign = text.str.extract("^(-)").fill_null("")
    digits = text.str.strip_chars_start("+-").str.strip_chars_start("0")
    _, longest = _span(digits.str.len_chars())
    frame = pl.DataFrame({"sign": sign, "digits": digits})
    kept = pl.col("digits").str.len_chars().cast(pl.Int64)
    cut = pl.col("digits").str
    return [
        frame.select(
            pl.when(kept <= count)
            .then(pl.lit("0"))
            .otherwise(pl.col("sign") + cut.head((kept - count).clip(0)) + pl.lit("0" * count))
        ).to_series()
        for count in range(1, max(longest, 1) + 1)
    ]


def _decimals(values: pl.Series) -> Hierarchy:
    text = _write(values)
    numbers = text.str.contains(NUMBER)
    values, text = values.filter(numbers), text.filter(numbers)
    whole, fraction, cuts = _cut_decimals(text)
    levels = [
        (whole + "." + fraction.str.head(cut))
        .str.strip_suffix(".")
        .str.replace(r"^-(0+(\.0*)?)$", "$1")
        for cut in cuts
    ]
    return with_star_on_top([values, *levels, *_falling_digits(whole)])


def _cut_decimals(text: pl.Series) -> tuple[pl.Series, pl.Series, list[int]]:
    """The part before the point, the part after it, and how many decimals each level keeps."""
    parts = text.str.split_exact(".", 1).struct.unnest()
    whole, fraction = parts.to_series(0), parts.to_series(1).fill_null("")
    fewest, most = _span(fraction.str.len_chars())
    return whole, fraction, [*([fewest] if fewest < most else []), *range(fewest - 1, -1, -1)]


def _write(values: pl.Series) -> pl.Series:
    """Numbers in full, without an exponent; text unchanged."""
    text = as_text(values)
    if values.dtype.is_float() and text.str.contains("e").any():
        full = [format(Decimal(number), "f") if "e" in number else number for number in text]
        return pl.Series(values.name, full, dtype=pl.String)
    return text if values.dtype != pl.Decimal else values.cast(pl.String)


def _dates(values: pl.Series) -> Hierarchy:
    days = _days(values)
    there = days.is_not_null()
    values, days = values.filter(there), days.filter(there)
    year = days.dt.year().cast(pl.String)
    month = days.dt.month().cast(pl.String).str.zfill(2) + "/" + year
    return with_star_on_top([values, month, year, *_falling_digits(year)])


def _days(values: pl.Series) -> pl.Series:
    refuse_unwritable(values)
    if values.dtype == pl.Date or isinstance(values.dtype, pl.Datetime):
        return values.dt.date()
    text = as_text(values).str.strip_chars()
    parsed = [text.str.to_date(how, strict=False).alias(how) for how in DAY_FORMATS]
    return pl.DataFrame(parsed).select(pl.coalesce(DAY_FORMATS)).to_series()


def _strings(values: pl.Series, ignore: tuple[Ignored, ...] = ()) -> Hierarchy:
    text = as_text(values)
    if ignore:
        text = pl.Series([normal_form(one, ignore) for one in text], dtype=pl.String)
    # Empty text has nothing to cut: it is `*` from level 1 on, and others need not follow it.
    shortest, longest = _span(text.str.len_chars().filter(text != ""))
    cuts = [*([shortest] if shortest < longest else []), *range(shortest - 1, 0, -1)]
    return with_star_on_top([values, *(text.str.head(cut) for cut in cuts)])


def _span(lengths: pl.Series) -> tuple[int, int]:
    if not len(lengths):
        return 0, 0
    numbers = lengths.to_numpy()
    return int(numbers.min()), int(numbers.max())
