"""Rungs: the ways to coarsen one column, from fine to coarse, those with a meaning first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.app.inspection.naming import Words
from microveil.arrays import Floats
from microveil.files.columns.finding_dates import find_dates
from microveil.hierarchies import Dates, Intervals, Order, Prefix, recognise_codes
from microveil.hierarchies.code_shapes import SYSTEMS
from microveil.methods import Generalize, GroupRare, Method, TopBottomCode

if TYPE_CHECKING:
    from microveil.app.inspection import ColumnProfile
    from microveil.hierarchies.codes import SystemName


PARTS = (50, 20, 10, 5, 3, 2)
"""Approximate number of intervals for a numeric column, rung by rung."""
FEW_PARTS = (10, 6, 4, 3, 2)
"""Number of intervals of similar size."""
RARE_SHARES = (0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1)
"""Categories below these shares are merged, rung by rung."""
DATE_LEVELS = ("month", "quarter", "year", "five_years", "decade", "twenty_years")
LONGEST = "fifty_years"
"""Does not hold whole stretches of twenty years."""
TEXT_LIKE = (pl.String, pl.Categorical, pl.Enum, pl.Boolean)
TAIL = 0.01
"""Share of the records on either end that one interval holds."""
MANY_CODES = 12
"""Distinct codes of one shape from which their beginnings are worth merging by."""
MOST_LABELS = 60
"""Labels that an order may list."""
_HINTS: tuple[tuple[SystemName, Words], ...] = (
    ("icd10", Words("icd* diag* dx* cie cie10 rhk* мкб* diagnoos*")),
    ("nace", Words("nace* industry branche* cnae* emtak* оквэд* activity*")),
    ("isco", Words("isco* occupation_code cno* disco* ametikood*")),
    ("nuts", Words("nuts* region* maakond*")),
    (
        "country",
        Words(
            "country* nation* citizen* birth_country pais* land riik* стран* origin* iso_num* m49"
        ),
    ),
    ("ip", Words("ip ip_addr* ipaddr*")),
)
"""What names say about the system of codes."""


def coarsenings(values: pl.Series, profile: ColumnProfile, k: int) -> list[Method]:  # noqa: PLR0911  one per kind
    """The steps that suit a column's kind, each coarser than the last."""
    dtype = values.dtype
    if dtype.is_nested() or dtype in (pl.Object, pl.Binary, pl.Null):
        return []
    if dtype in (pl.Date, pl.Datetime):
        return list(_by_date(values.name, None))
    codes = [] if dtype.is_float() else list(_by_code(values, profile))
    if codes:
        return codes
    if dtype.is_numeric():
        # The neighbour of a code is another category, not a nearby value.
        return _by_frequency(values, k) if profile.labelled else list(_by_interval(values))
    if dtype.base_type() not in TEXT_LIKE:
        return []
    text = values.cast(pl.String)
    dates = find_dates(text)
    if dates is not None:
        return list(_by_date(values.name, dates.formats[0]))
    return [*(_by_order(text, k) or _by_prefix(text)), *_by_frequency(text, k)]


def _by_date(name: str, how: str | None) -> Iterator[Method]:
    """Months, quarters, years, and more years at once; text that is no date becomes ``*``."""
    unlisted = "error" if how is None else "star"
    for level in DATE_LEVELS:
        chain = Dates(levels=("day", *DATE_LEVELS[: DATE_LEVELS.index(level) + 1]), format=how)
        yield Generalize(column=name, hierarchy=chain, level=level, unlisted=unlisted)
    longest = Dates(levels=("day", "year", LONGEST), format=how)
    yield Generalize(column=name, hierarchy=longest, level=LONGEST, unlisted=unlisted)


def _by_code(values: pl.Series, profile: ColumnProfile) -> Iterator[Method]:
    """The levels of a known classification."""
    found = recognise_codes(values, _hint(profile))
    if found is None and not values.dtype.is_numeric():
        found = recognise_codes(values)
    if found is None:
        return
    for level in SYSTEMS[found.system].levels:
        yield Generalize(column=values.name, hierarchy=found, level=level, unlisted="star")


def _hint(profile: ColumnProfile) -> SystemName | None:
    if profile.kind == "postcode":
        return "postcode"
    return next((system for system, words in _HINTS if words.match(profile.name)), None)


def _by_interval(values: pl.Series) -> Iterator[Method]:
    """Ends cut off, then ever fewer intervals, of equal width or of similar size."""
    name, numbers = values.name, values.cast(pl.Float64).drop_nulls()
    if not len(numbers) or not numbers.is_finite().all():
        return
    low, high = numbers.quantile(TAIL, "nearest"), numbers.quantile(1 - TAIL, "nearest")
    if low is None or high is None or low >= high:
        return
    least, most = numbers.min(), numbers.max()
    if values.dtype.is_integer() and (low, high) != (least, most):
        ends = {"bottom": low if low != least else None, "top": high if high != most else None}
        yield TopBottomCode.parse({"columns": [name], **_given_fields(ends)})
    for cuts in _nested_last(numbers.to_numpy(), list(_cut_points(values, (low, high)))):
        yield Generalize(column=name, hierarchy=cuts, level=1)


def _cut_points(values: pl.Series, ends: tuple[float, float]) -> Iterator[Intervals]:
    """Intervals of round width, and between round quantiles."""
    low, high = ends
    for width in dict.fromkeys(round_width(values, parts) for parts in PARTS):
        bottom, top = (math.floor(low / width) + 1) * width, math.floor(high / width) * width
        limits = {"bottom": bottom, "top": top} if bottom < top else {}
        yield Intervals.parse({"hierarchy": "intervals", "width": width, **limits})
    numbers = values.cast(pl.Float64)
    for parts in FEW_PARTS:
        unit = round_width(values, 10 * parts)
        places = [numbers.quantile(part / parts) or 0.0 for part in range(1, parts)]
        cuts = tuple(sorted({round(place / unit) * unit for place in places}))
        yield Intervals(cuts=(tuple(float(f"{cut:.12g}") for cut in cuts),))


def _nested_last(numbers: Floats, found: list[Intervals]) -> list[Intervals]:
    """Those that no other beats in both labels and distinctions kept, most labels first."""
    distinct, counts = np.unique(numbers, return_counts=True)
    rated = []
    for intervals in found:
        hierarchy = intervals.build(pl.Series(distinct))
        if hierarchy.n_values < len(distinct):
            continue
        sizes = np.bincount(hierarchy.codes[:, 1], weights=counts)
        rated.append((float((sizes**2).sum()), int((sizes > 0).sum()), intervals))
    kept: list[Intervals] = []
    fewest = math.inf
    for _, n_labels, intervals in sorted(rated, key=lambda one: one[:2]):
        if n_labels < fewest:
            kept.append(intervals)
            fewest = n_labels
    return kept


def _given_fields(fields: dict[str, float | None]) -> dict[str, float]:
    return {name: value for name, value in fields.items() if value is not None}


def round_width(values: pl.Series, n_parts: int) -> float:
    """A width of 1, 2 or 5 times a power of ten that divides the middle 98 % into so many parts.

    >>> round_width(pl.Series(range(100)), 10)
    10.0
    """
    numbers = values.cast(pl.Float64)
    low, high = numbers.quantile(0.01), numbers.quantile(0.99)
    raw = max((high or 0.0) / n_parts - (low or 0.0) / n_parts, 1e-9)
    power = 10.0 ** math.floor(math.log10(raw))
    width = next(step * power for step in (1, 2, 5, 10) if step * power >= raw * (1 - 1e-9))
    return max(width, 1.0) if values.dtype.is_integer() else width


def _by_order(text: pl.Series, k: int) -> list[Method]:
    """Neighbours of labels that begin with a number ("5-9", "10-14", "65+") merged."""
    counts = text.alias("label").drop_nulls().value_counts(name="count")
    often = counts.filter(pl.col("count") >= k)
    number = often["label"].str.extract(r"^\D{0,3}(\d+(?:\.\d+)?)").cast(pl.Float64, strict=False)
    ordered = often.height >= 3 and number.null_count() == 0  # noqa: PLR2004  two have no order
    if not ordered or number.n_unique() < len(number) or often.height > MOST_LABELS:
        return []
    labels = tuple(often.with_columns(number.alias("number")).sort("number")["label"])
    sizes = tuple(2 for _ in range(max(int(math.log2(len(labels))), 1)))
    merged = Order(order=labels, sizes=sizes)
    return [
        Generalize(column=text.name, hierarchy=merged, level=level, unlisted="star")
        for level in range(1, len(sizes) + 1)
    ]


def _by_prefix(text: pl.Series) -> list[Method]:
    """The beginnings of codes that all have the same shape."""
    codes = text.drop_nulls().unique()
    lengths = codes.str.len_chars()
    shaped = codes.str.contains(r"^[A-Za-z]{0,4}[-. ]?\d[\dA-Za-z.-]*$").all()
    if len(codes) < MANY_CODES or not shaped or lengths.n_unique() > 2:  # noqa: PLR2004  p9, p10
        return []
    longest = int(lengths.to_numpy().max())
    cuts = [Prefix(lengths=(length,)) for length in range(longest - 1, 0, -1)]
    return [Generalize(column=text.name, hierarchy=cut, level=1) for cut in cuts]


def _by_frequency(text: pl.Series, k: int) -> list[Method]:
    """Rare categories merged under one label."""
    counts = (max(k, math.ceil(share * len(text)), 2) for share in RARE_SHARES)
    return [GroupRare(columns=(text.name,), min_count=count) for count in dict.fromkeys(counts)]
