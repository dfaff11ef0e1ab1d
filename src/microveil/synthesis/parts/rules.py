"""Rules that every synthetic record satisfies: consequences of conditions, and constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self, TypeAlias

import polars as pl
from pydantic import Field, model_validator

from microveil.errors import InputError
from microveil.specs import Spec
from microveil.tables.roles import check_columns

Plain: TypeAlias = bool | int | float | str | None


class Rule(Spec):
    """A rule for every record: if ``when`` holds, columns have set values or ``must`` holds.

    Conditions are written as in SQL, names with characters other than letters, digits and
    underscores in double quotes: ``age < 18``, ``"marital-status" = 'married'``, ``start <=
    finish``. A condition on a missing cell is neither satisfied nor violated.

    >>> rule = Rule(when="age < 18", then={"status": "single"})
    >>> rule.mend(pl.DataFrame({"age": [9, 40], "status": ["wed", "wed"]}))["status"].to_list()
    ['single', 'wed']
    """

    when: str | None = Field(default=None, min_length=1)
    """Condition under which the rule applies; by default to every record."""
    then: Mapping[str, Plain] = Field(default_factory=dict)
    """Values that columns then have; null for missing."""
    must: str | None = Field(default=None, min_length=1)
    """Condition that must then hold; records that violate it are redrawn."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.then and self.must is None:
            raise ValueError("A rule needs `then` or `must`.")
        return self

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns named in the rule."""
        named = [name for text in (self.when, self.must) if text for name in _names(text)]
        return tuple(dict.fromkeys([*named, *self.then]))

    def mend(self, frame: pl.DataFrame, fixed: Sequence[str] = ()) -> pl.DataFrame:
        """Set the values that follow, in columns that are not ``fixed``."""
        changes = [
            pl.when(self._here(frame))
            .then(_literal(value, frame.schema[name]))
            .otherwise(pl.col(name))
            .alias(name)
            for name, value in self.then.items()
            if name not in fixed
        ]
        return frame.with_columns(changes) if changes else frame

    def find_broken(self, frame: pl.DataFrame) -> pl.Series:
        """Which records violate the rule."""
        kept = [
            pl.col(name).eq_missing(_literal(value, frame.schema[name]))
            for name, value in self.then.items()
        ]
        if self.must is not None:
            kept.append(_condition(self.must).fill_null(True))
        wrong = self._here(frame) & ~pl.all_horizontal(kept)
        return frame.select(_flag(wrong, frame).alias("broken"))["broken"]

    def _here(self, frame: pl.DataFrame) -> pl.Expr:
        if self.when is None:
            return pl.lit(True)
        return _flag(_condition(self.when).fill_null(False), frame)


def check_rules(rules: Sequence[Rule], frame: pl.DataFrame) -> None:
    """Raise an error unless every rule can be parsed and applied to the frame's columns."""
    for position, rule in enumerate(rules, start=1):
        check_columns(rule.columns, frame.columns)
        try:
            rule.find_broken(rule.mend(frame.head(0)))
        except (pl.exceptions.PolarsError, TypeError):
            raise InputError(
                "Rule {position} cannot be applied to columns {columns}: compare them with "
                "values of their own type, as in SQL.",
                position=position,
                columns=rule.columns,
            ) from None


def mend_all(frame: pl.DataFrame, rules: Sequence[Rule], fixed: Sequence[str]) -> pl.DataFrame:
    """Set the values that follow from the rules, in order; repeat until nothing changes."""
    assigning = [rule for rule in rules if rule.then]
    for _ in range(len(assigning)):
        before = frame
        for rule in assigning:
            frame = rule.mend(frame, fixed)
        if frame.equals(before):
            break
    return frame


def _condition(text: str) -> pl.Expr:
    try:
        return pl.sql_expr(text)
    except pl.exceptions.PolarsError:
        raise InputError(
            "Condition `{text}` cannot be parsed. Write it as in SQL: `age < 18 and sex = 'f'`.",
            text=text,
        ) from None


def _names(text: str) -> list[str]:
    return _condition(text).meta.root_names()


def _flag(condition: pl.Expr, frame: pl.DataFrame) -> pl.Expr:
    """A condition as one flag per record, even if it names no column."""
    return condition & pl.repeat(True, frame.height, dtype=pl.Boolean)


def _literal(value: Plain, dtype: pl.DataType) -> pl.Expr:
    if isinstance(value, str) and dtype == pl.Date:
        return pl.lit(value).str.to_date()
    if isinstance(value, str) and isinstance(dtype, pl.Datetime):
        return pl.lit(value).str.to_datetime(time_unit=dtype.time_unit, time_zone=dtype.time_zone)
    return pl.lit(value).cast(dtype)
