"""What released labels say: intervals, sets, masks, limits, or nothing at all."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import polars as pl

from microveil.hierarchies.hierarchy import STAR
from microveil.tables.values import as_text

_BRACKETS = re.compile(r"^([\[(])\s*(.+?)\s*(?:,|;|\.\.)\s*(.+?)\s*([\])])$")
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_DASHED = re.compile(rf"^({_NUMBER})\s*(?:-|–|—|\.\.|to)\s*({_NUMBER})$")
_LIMIT = re.compile(r"^(<=|>=|=<|=>|[<≤≥>])\s*(.+)$")
_FROM = re.compile(rf"^({_NUMBER})\s*\+$")
_MEMBER = re.compile(r"((?:\\.|[^\\,])+)(?:,\s*|$)")


class Bounds(NamedTuple):
    """What lies between two ends, written as in the label; an open end is missing."""

    low: str | None
    high: str | None
    with_low: bool = True
    with_high: bool = True


def is_star(labels: pl.Series) -> pl.Series:
    """Labels that say nothing: ``*`` alone, or nothing but stars."""
    return as_text(labels).str.contains(r"^\*+$")


def read_bounds(label: str) -> Bounds | None:
    """The ends of an interval as hierarchies, ARX and people write it; none for other text.

    >>> read_bounds("[30, 40)")
    Bounds(low='30', high='40', with_low=True, with_high=False)
    >>> read_bounds("0-4"), read_bounds("≥80").low, read_bounds("north-west")
    (Bounds(low='0', high='4', with_low=True, with_high=True), '80', None)
    """
    if both := _BRACKETS.match(label):
        opening, low, high, closing = both.groups()
        return Bounds(low, high, opening == "[", closing == "]")
    if dashed := _DASHED.match(label):
        low, high = dashed.groups()
        return Bounds(low, high) if float(low) <= float(high) else None
    if limit := _LIMIT.match(label):
        sign, end = limit.groups()
        within = sign not in ("<", ">")
        if "<" in sign or sign == "≤":
            return Bounds(None, end, with_high=within)
        return Bounds(end, None, with_low=within)
    if start := _FROM.match(label):
        return Bounds(start[1], None)
    return None


def read_set(label: str) -> list[str] | None:
    r"""The members of ``{a, b}``; a backslash makes the next character plain.

    >>> read_set(r"{a, b\, c}")
    ['a', 'b, c']
    """
    if not (label.startswith("{") and label.endswith("}") and len(label) > 2):  # noqa: PLR2004  braces with something between
        return None
    members = [match[1] for match in _MEMBER.finditer(label[1:-1])]
    return [re.sub(r"\\(.)", r"\1", member).strip() for member in members]


def read_mask(label: str) -> tuple[re.Pattern[str], re.Pattern[str]] | None:
    """Patterns of a masked code: each star for one character, or for any number of them.

    >>> bool(read_mask("97***")[0].match("97222")), read_mask("97222")
    (True, None)
    """
    if STAR not in label:
        return None
    one = "".join("." if char == STAR else re.escape(char) for char in label)
    many = ".*".join(re.escape(part) for part in re.split(r"\*+", label))
    return re.compile(f"^{one}$", re.DOTALL), re.compile(f"^{many}$", re.DOTALL)


def midpoints(labels: pl.Series, before: pl.Series) -> pl.Series | None:
    """Labels of a column of numbers or dates as numbers; none if some cannot be read.

    A number is itself, an interval its middle (``[30, 40)`` is 35), an open one ends at the
    smallest or largest value of ``before``; dates count in their unit. Missing stays missing, and
    stars become missing.

    >>> ages = pl.Series([0, 99])
    >>> midpoints(pl.Series(["[30, 40)", "57", "≥80", "*"]), ages).to_list()
    [35.0, 57.0, 89.5, None]
    """
    text = as_text(labels)
    distinct = text.drop_nulls().unique()
    distinct = distinct.filter(~is_star(distinct))
    numbers = _numbers(distinct, before.dtype)
    others = distinct.filter(numbers.is_null())
    if len(others):
        middles = _middles(others, before)
        if middles is None:
            return None
        numbers = pl.concat([numbers.drop_nulls(), middles])
        distinct = pl.concat([distinct.filter(~distinct.is_in(others.implode())), others])
    if not len(distinct):
        return pl.Series(labels.name, [None] * len(labels), dtype=pl.Float64)
    found = text.replace_strict(distinct, numbers, default=None, return_dtype=pl.Float64)
    return found.alias(labels.name)


def _numbers(text: pl.Series, dtype: pl.DataType) -> pl.Series:
    """Text as numbers, dates in the unit of their column; missing where it is neither."""
    if not dtype.is_temporal():
        return text.cast(pl.Float64, strict=False)
    if dtype == pl.Duration:
        return pl.Series([None] * len(text), dtype=pl.Float64)
    kinds = [dtype, pl.Date()] if isinstance(dtype, pl.Datetime) else [dtype]
    readings = [read_moments(text, kind).cast(dtype).to_physical() for kind in kinds]
    frame = pl.DataFrame([one.alias(str(place)) for place, one in enumerate(readings)])
    return frame.select(pl.coalesce(pl.all()).cast(pl.Float64)).to_series()


def read_moments(text: pl.Series, dtype: Any) -> pl.Series:
    """ISO text as dates, date-times or times; missing where it is none."""
    return text.str.strptime(dtype, strict=False)


def _middles(labels: pl.Series, before: pl.Series) -> pl.Series | None:
    """Middles of intervals; none if a label is no interval of finite numbers."""
    bounds = [read_bounds(label) for label in labels.to_list()]
    if any(one is None for one in bounds):
        return None
    physical = before.drop_nulls().to_physical().cast(pl.Float64)
    least, most = physical.min(), physical.max()
    written = pl.DataFrame(
        [(one.low, one.high) for one in bounds if one is not None],
        schema={"low": pl.String, "high": pl.String},
        orient="row",
    )
    read = {name: _numbers(written[name], before.dtype) for name in ("low", "high")}
    if any((read[name].is_null() & written[name].is_not_null()).any() for name in read):
        return None
    frame = pl.DataFrame(read)
    # A limit beyond all that occurs (≥80 where nobody is older) stands for itself.
    low = pl.coalesce("low", pl.min_horizontal("high", pl.lit(least, pl.Float64)))
    high = pl.coalesce("high", pl.max_horizontal("low", pl.lit(most, pl.Float64)))
    middles = frame.select(((low + high) / 2).alias("middle")).to_series()
    return middles if bool(middles.is_finite().fill_null(False).all()) else None
