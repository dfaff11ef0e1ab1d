"""The one grammar of released labels: intervals, sets, masks, limits, or nothing at all.

========================================  ==========================================
``[20, 25)``  ``(20; 25]``  ``[20..25[``  an interval, its ends as the brackets say
``20-24``  ``20–24``  ``20 to 24``        both ends within
``>= 65``  ``≥65``  ``>64``  ``65+``      open upwards; ``<20`` and so on downwards
``{a, b}``                                one of several values
``97***``  ``4*``                         a star for each character, or for any number of them
``*``                                     anything
========================================  ==========================================

Labels that are nodes of a tree are looked up in the hierarchy (:mod:`microveil.labels.covering`).
Any other label carries no meaning by itself.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

import polars as pl

from microveil.hierarchies.hierarchy import STAR
from microveil.tables.kinds import numbers_of
from microveil.tables.values import as_text

_NUMBER = r"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|inf|∞)"
_TO = r"(?:-|–|—|\.\.|to)"
_BRACKETS = re.compile(r"^([\[(\]])\s*(.+?)\s*(?:,|;|\.\.)\s*(.+?)\s*([\])\[])$")
_DASHED = re.compile(rf"^({_NUMBER})\s*{_TO}\s*({_NUMBER})$")
_LIMIT = re.compile(r"^(<=|>=|=<|=>|[<≤≥>])\s*(.+)$")
_FROM = re.compile(rf"^({_NUMBER})\s*\+$")
_DIGITS = re.compile(r"^(-?)(\d+)(\*+)$")
_MEMBER = re.compile(r"((?:\\.|[^\\,])+)(?:,\s*|$)")
_NOTED = rf"^[\[(\]{{<>≤≥=]|\*|\+$|\d\s*{_TO}\s*[-+.\d]"


class Bounds(NamedTuple):
    """Bounds as written in the label; an open end is missing."""

    low: str | None
    high: str | None
    with_low: bool = True
    with_high: bool = True


class Span(NamedTuple):
    """Numbers between two ends."""

    low: float
    high: float
    with_low: bool = True
    with_high: bool = True

    def whole(self) -> Span:
        """The same for whole numbers, with both ends included: ``[20, 25)`` is ``[20, 24]``."""
        low, high = self.low, self.high
        if math.isfinite(low):
            low = math.floor(low) + 1 if not self.with_low else math.ceil(low)
        if math.isfinite(high):
            high = math.ceil(high) - 1 if not self.with_high else math.floor(high)
        return Span(float(low), float(high))


def is_star(labels: pl.Series) -> pl.Series:
    """Labels without information: ``*``, or nothing but stars."""
    return as_text(labels).str.contains(r"^\*+$")


def is_noted(labels: pl.Series) -> pl.Series:
    """Text that may be written in this notation: only these need to be parsed one by one."""
    return labels.str.contains(_NOTED)


def read_bounds(label: str) -> Bounds | None:
    """Parse the bounds of an interval as hierarchies, ARX and people write it; None otherwise.

    >>> read_bounds("[30, 40)")
    Bounds(low='30', high='40', with_low=True, with_high=False)
    >>> read_bounds("0-4"), read_bounds("≥80").low, read_bounds("north-west")
    (Bounds(low='0', high='4', with_low=True, with_high=True), '80', None)
    """
    label = label.strip()
    if both := _BRACKETS.match(label):
        opening, low, high, closing = both.groups()
        return Bounds(_end(low), _end(high), opening == "[", closing == "]")
    if dashed := _DASHED.match(label):
        low, high = dashed.groups()
        return Bounds(low, high) if _float(low) <= _float(high) else None
    if limit := _LIMIT.match(label):
        sign, end = limit.groups()
        within = sign not in ("<", ">")
        if "<" in sign or sign == "≤":
            return Bounds(None, end, with_high=within)
        return Bounds(end, None, with_low=within)
    if start := _FROM.match(label):
        return Bounds(start[1], None)
    return None


def _end(text: str) -> str | None:
    """A bound as written; None if it is infinite."""
    return None if text.lstrip("+-") in ("inf", "∞") else text


def _float(text: str) -> float:
    """Text as a number; NaN if it is not a number."""
    text = text.strip()
    return float(text.replace("∞", "inf")) if re.fullmatch(_NUMBER, text) else math.nan


def read_span(label: str) -> Span | None:
    """The numbers a label stands for; None if the text is not a number, range or mask.

    >>> read_span("[30, 40)"), read_span("80***").high
    (Span(low=30.0, high=40.0, with_low=True, with_high=False), 81000.0)
    """
    label = label.strip()
    if label and set(label) == {STAR}:
        return Span(-math.inf, math.inf)
    if masked := _DIGITS.match(label):
        return _digits(*masked.groups())
    number = _float(label)
    if not math.isnan(number):
        return Span(number, number)
    bounds = read_bounds(label)
    if bounds is None:
        return None
    low = -math.inf if bounds.low is None else _float(bounds.low)
    high = math.inf if bounds.high is None else _float(bounds.high)
    if math.isnan(low) or math.isnan(high):
        return None
    return Span(low, high, bounds.with_low, bounds.with_high)


def _digits(sign: str, start: str, stars: str) -> Span:
    """The range of numbers that start with some digits, with one unknown digit per star."""
    step = 10.0 ** len(stars)
    low = int(start) * step
    if sign:
        return Span(-low - step, -low, with_low=False)
    return Span(low, low + step, with_high=False)


def read_spans(label: str) -> list[Span]:
    """The ranges of numbers a label stands for, several if it is a set.

    >>> [span.low for span in read_spans("{20, 30}")], read_spans("young")
    ([20.0, 30.0], [])
    """
    names = read_set(label)
    read = [read_span(name) for name in ([label] if names is None else names)]
    return [span for span in read if span is not None] if None not in read else []


def read_set(label: str) -> list[str] | None:
    r"""The members of ``{a, b}``; a backslash escapes the next character.

    >>> read_set(r"{a, b\, c}"), read_set("{a,b}")
    (['a', 'b, c'], ['a', 'b'])
    """
    label = label.strip()
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
    """Convert labels on numbers or dates to numbers; None if some cannot be read.

    A number is itself and an interval its midpoint: ``[30, 40)`` is 35, but 34.5 if the values are
    whole numbers (30 to 39) or days. An open interval ends at the smallest or largest value of
    ``before``, masked digits count as the interval they leave open, and a set as the mean of its
    members. Dates count in their unit. Missing stays missing, and stars become missing.

    >>> ages = pl.Series([0, 99])
    >>> midpoints(pl.Series(["[30, 40)", "57", "≥80", "*"]), ages).to_list()
    [34.5, 57.0, 89.5, None]
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
    """Text as numbers, dates in the unit of their column; missing if it is neither."""
    if not dtype.is_temporal():
        return text.cast(pl.Float64, strict=False)
    if dtype == pl.Duration:
        return pl.Series([None] * len(text), dtype=pl.Float64)
    kinds = [dtype, pl.Date()] if isinstance(dtype, pl.Datetime) else [dtype]
    parsed = [read_moments(text, kind).cast(dtype).to_physical() for kind in kinds]
    frame = pl.DataFrame([one.alias(str(place)) for place, one in enumerate(parsed)])
    return frame.select(pl.coalesce(pl.all()).cast(pl.Float64)).to_series()


def read_moments(text: pl.Series, dtype: Any) -> pl.Series:
    """ISO text as dates, date-times or times; missing if it is none of these."""
    try:
        return text.str.strptime(dtype, strict=False)
    except pl.exceptions.ComputeError:  # no text that looks like a moment
        return pl.Series(text.name, [None] * len(text), dtype=dtype)


def _any_bounds(label: str, dtype: pl.DataType) -> Bounds | None:
    """The bounds of an interval; for numbers also those of masked digits, and the mean of a set."""
    bounds = read_bounds(label)
    if bounds is not None or dtype.is_temporal():
        return bounds
    spans = [span for span in read_spans(label) if math.isfinite(span.low + span.high)]
    if not spans:
        return None
    if len(spans) == 1:
        return Bounds(
            repr(spans[0].low), repr(spans[0].high), spans[0].with_low, spans[0].with_high
        )
    mean = math.fsum((span.low + span.high) / 2 for span in spans) / len(spans)
    return Bounds(repr(mean), repr(mean))


def _whole_ends(ends: pl.DataFrame, bounds: list[Bounds]) -> pl.DataFrame:
    """First and last whole number of each interval; ends beyond all numbers stay missing."""
    spans = [
        Span(
            -math.inf if low is None else low,
            math.inf if high is None else high,
            one.with_low,
            one.with_high,
        ).whole()
        for (low, high), one in zip(ends.rows(), bounds, strict=True)
    ]
    whole = [
        tuple(end if math.isfinite(end) else None for end in span[:2])
        if span.low <= span.high
        else before
        for span, before in zip(spans, ends.rows(), strict=True)
    ]
    return pl.DataFrame(whole, schema={"low": pl.Float64, "high": pl.Float64}, orient="row")


def _middles(labels: pl.Series, before: pl.Series) -> pl.Series | None:
    """Midpoints of intervals; None if a label is not an interval of finite numbers."""
    bounds = [_any_bounds(label, before.dtype) for label in labels.to_list()]
    if any(one is None for one in bounds):
        return None
    numbers = pl.Series(numbers_of(before)).drop_nans()
    least, most = numbers.min(), numbers.max()
    written = pl.DataFrame(
        [(one.low, one.high) for one in bounds if one is not None],
        schema={"low": pl.String, "high": pl.String},
        orient="row",
    )
    read = {name: _numbers(written[name], before.dtype) for name in ("low", "high")}
    if any((read[name].is_null() & written[name].is_not_null()).any() for name in read):
        return None
    frame = pl.DataFrame(read)
    if before.dtype.is_integer() or before.dtype == pl.Date:
        frame = _whole_ends(frame, [one for one in bounds if one is not None])
    # A limit beyond all values that occur (≥80 where nobody is older) stands for itself.
    low = pl.coalesce("low", pl.min_horizontal("high", pl.lit(least, pl.Float64)))
    high = pl.coalesce("high", pl.max_horizontal("low", pl.lit(most, pl.Float64)))
    middles = frame.select(((low + high) / 2).alias("middle")).to_series()
    return middles if bool(middles.is_finite().fill_null(False).all()) else None
