"""Variables: what a released column contains, without anything that few records have."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from microveil.files.labels import Code, Labels, is_kind_of_missing
from microveil.metadata.model import Category, Kind, Role, Variable
from microveil.metadata.treatments import Treatment
from microveil.plots.small_counts import SMALL_COUNT
from microveil.reports.contents.codebook import MOST_LEVELS, level_counts, rounded_range
from microveil.tables import Roles

MOST_TEXTS = 200
"""Categories of text that are listed without labels; a column with more is free text or a code."""
_KINDS: tuple[tuple[Kind, tuple[type[pl.DataType], ...]], ...] = (
    ("boolean", (pl.Boolean,)),
    ("date", (pl.Date,)),
    ("datetime", (pl.Datetime,)),
    ("time", (pl.Time,)),
    ("text", (pl.String, pl.Categorical, pl.Enum)),
)


def describe_column(
    column: pl.Series,
    labels: Labels,
    role: Role | None = None,
    treatments: tuple[Treatment, ...] = (),
) -> Variable:
    """What a released column contains: the values that at least ten records have, or round ends."""
    name, kind = column.name, kind_of(column.dtype)
    book = labels.books.get(name)
    if book is not None:
        kind = "integer" if all(isinstance(one, int) for one in book.codes.values()) else "number"
    nameless = role in ("weight", "household", "entity", "key") or any(
        one.kind == "pseudonymised" for one in treatments
    )
    listed, complete = ((), True) if nameless else _categories(column, labels, kind)
    several = kind in ("integer", "number") and not listed and not nameless
    return Variable(
        name=name,
        kind=kind,
        label=labels.columns.get(name),
        universe=labels.universes.get(name),
        categories=listed,
        complete=complete,
        range=rounded_range(column) if several and book is None else None,
        has_missing=column.null_count() > 0,
        role=role,
        treatments=treatments,
    )


def kind_of(dtype: pl.DataType) -> Kind:
    """The kind of values of a type.

    >>> kind_of(pl.Int8()), kind_of(pl.List(pl.String()))
    ('integer', 'other')
    """
    for kind, types in _KINDS:
        if dtype.base_type() in types:
            return kind
    if dtype.is_integer():
        return "integer"
    return "number" if dtype.is_numeric() else "other"


def _categories(column: pl.Series, labels: Labels, kind: Kind) -> tuple[tuple[Category, ...], bool]:
    """Every code that the file labels, then what at least ten records have; and if that is all."""
    if kind in ("date", "datetime", "time", "other"):
        return (), True
    labelled = _labelled_codes(column.name, labels)
    if column.name in labels.books:
        return labelled, True
    counts = level_counts(column)
    known = {one.value for one in labelled}
    rest = {value: n for value, n in counts.items() if value not in known}
    most = MOST_TEXTS if kind == "text" else MOST_LEVELS
    if len(rest) > most or (kind == "number" and not labelled):
        return labelled, not labelled
    common = [Category(value) for value, n in rest.items() if n >= SMALL_COUNT]
    return (*labelled, *common), len(common) == len(rest)


def _labelled_codes(name: str, labels: Labels) -> tuple[Category, ...]:
    """The codes of a column with their labels, those for kinds of missing marked."""
    book = labels.books.get(name)
    if book is not None:
        missing = {str(code) for code in book.missing.values()}
        told = [_category(code, label, missing) for code, label in book.labels.items()]
        bare = {str(code) for code in book.codes.values()} - {one.value for one in told}
        return _in_order([*told, *(Category(value) for value in sorted(bare))])
    gaps = labels.gaps.get(name)
    missing = set() if gaps is None else set(gaps.cast(pl.String).drop_nulls().unique())
    return tuple(
        _category(code, label, missing) for code, label in labels.values.get(name, {}).items()
    )


def _in_order(found: list[Category]) -> tuple[Category, ...]:
    """Codes as an archive lists them: by number, kinds of missing last.

    The order in which a release met them would tell something about its rows.
    """

    def place(one: Category) -> tuple[bool, bool, float]:
        number = one.value.lstrip("-").replace(".", "", 1).isdecimal()
        return one.missing, not number, float(one.value) if number else 0.0

    return tuple(sorted(found, key=place))


def _category(code: Code, label: str, missing: Iterable[str]) -> Category:
    is_gap = is_kind_of_missing(code)
    value = f".{code}" if is_gap else _code_text(code)
    return Category(value, label, missing=is_gap or _code_text(code) in missing)


def _code_text(code: Code) -> str:
    """A code as the file shows it: whole numbers without a point."""
    return str(int(code)) if isinstance(code, float) and code.is_integer() else str(code)


def role_of(name: str, roles: Roles) -> Role | None:
    """What a column is for, if it is no characteristic."""
    if name == roles.weight:
        return "weight"
    if name == roles.household:
        return "household"
    if name == roles.entity:
        return "entity"
    return "stratum" if name in roles.strata else None
