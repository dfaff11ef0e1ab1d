"""Domain: the values that a column may have, declared from public knowledge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field

from microveil.errors import InputError, did_you_mean
from microveil.specs import Spec
from microveil.texts import phrase

Plain: TypeAlias = bool | int | float | str | date | datetime
Bound: TypeAlias = int | float | date | datetime | str


class Values(Spec):
    """A column of categories: the values it may have."""

    values: tuple[Plain, ...] = Field(min_length=1)
    """The possible values. Records with any other value are left out, uncounted."""
    missing: bool = False
    """Whether a cell may be missing."""


class Range(Spec):
    """A column of numbers or dates: the range it lies in."""

    low: Bound
    """Smallest possible value; smaller values count as this."""
    high: Bound
    """Largest possible value; larger values count as this."""
    bins: int | None = Field(default=None, ge=1)
    """Number of equal intervals to distinguish; within one, all values are equally likely.

    By default up to 256 whole numbers are distinguished individually, otherwise 32 intervals.
    """
    decimals: int | None = Field(default=None, ge=0, le=9)
    """Decimals of drawn numbers; None for full precision."""
    missing: bool = False
    """Whether a cell may be missing."""


def _widen(raw: Any) -> Any:
    """Shorthands: a list of values; a number of codes from 0 on."""
    if isinstance(raw, int) and not isinstance(raw, bool):
        return {"low": 0, "high": raw - 1}
    if isinstance(raw, list | tuple):
        return {"values": raw}
    return raw


ColumnDomain: TypeAlias = Annotated[Values | Range, BeforeValidator(_widen)]
Domain: TypeAlias = Mapping[str, ColumnDomain]

HOW_TO_DECLARE = phrase(
    "Declare what each column may contain from public knowledge, for example `domain: "
    "{age: {low: 0, high: 110}, sex: [female, male]}`: values taken from the data "
    "themselves would reveal information about single records."
)


def check_domain(domain: Domain, columns: Sequence[str], generator: str) -> None:
    """Raise an error unless exactly the table's columns are declared."""
    undeclared = [column for column in columns if column not in domain]
    if undeclared:
        raise InputError(
            "'{generator}' needs a declared domain for every column; there is none for "
            "{undeclared}. {how_to_declare}",
            generator=generator,
            undeclared=undeclared,
            how_to_declare=HOW_TO_DECLARE,
        )
    unknown = [column for column in domain if column not in columns]
    if unknown:
        hint = did_you_mean(unknown[0], columns)
        raise InputError(
            "The domain declares columns that the data do not have: {unknown}.{hint}",
            unknown=unknown,
            hint=hint,
        )
