"""The result of an inspection: plain data about columns, never cell values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import yaml

from microveil.display import Card, Shown, grid
from microveil.files.columns.column_reading import Reading
from microveil.files.columns.finding_dates import DatesFound
from microveil.methods import Method
from microveil.tables import Roles

Role = Literal[
    "identifier",
    "quasi_identifier",
    "sensitive",
    "insensitive",
    "weight",
    "strata",
    "household",
    "entity",
]
"""A column's role in :class:`~microveil.tables.Roles`, in the singular."""


@dataclass(frozen=True)
class ColumnProfile:
    """One column: how complete, how identifying, what it seems to hold, and its suggested role."""

    name: str
    dtype: str
    """Type in words: ``text``, ``whole number``, ``date`` …"""
    n_missing: int
    missing_share: float
    n_distinct: int
    """Distinct values, missing not counted."""
    n_unique: int
    """Number of records with a unique value; missing is a value here and below."""
    uniqueness: float
    """Share of records with a unique value."""
    distinction: float
    """Distinct values per record: α of Motwani & Xu (2007)."""
    separation: float
    """Share of record pairs that differ in the column: β; 0 below two records."""
    kind: str | None
    """What the column seems to hold (``email``, ``age`` …); None if nothing is recognised."""
    confidence: float | None
    """Share of the sampled distinct values that fit the kind; None if only the name matches."""
    role: Role | None
    """Suggested role; None if a person has to decide."""
    reasons: tuple[str, ...]
    """Why, in words."""
    labelled: bool = False
    """Whether the file has labels for most of its numbers: they are codes of categories."""
    missing_codes: tuple[float | str, ...] = ()
    """Codes that stand for missing values: by their label, or far off the other values."""


@dataclass(frozen=True)
class KeySet:
    """How identifying some columns are together; missing is a value of its own."""

    columns: tuple[str, ...]
    n_distinct: int
    n_unique: int
    uniqueness: float
    distinction: float
    separation: float


@dataclass(frozen=True)
class Caution:
    """Something about one or more columns to consider before publishing."""

    topic: str
    """Short name of the topic: ``weight``, ``free_text``, ``dependency`` …"""
    columns: tuple[str, ...]
    text: str
    step: Method | None = None
    """The step of a recipe that sees to it, if there is one."""

    def __str__(self) -> str:
        """The sentence alone."""
        return self.text

    @property
    def line(self) -> str:
        """The step as one line of a recipe; empty if there is none."""
        return "" if self.step is None else as_line(self.step.to_dict())


@dataclass(frozen=True, repr=False)
class Inspection(Shown):
    """A table inspected: columns, suggested roles and cautions.

    Counts are exact. ``sample`` is the largest number of distinct values per column that the
    patterns saw; None means all.
    """

    n_records: int
    columns: tuple[ColumnProfile, ...]
    roles: Roles
    key_sets: tuple[KeySet, ...]
    """Single columns, then pairs of the most identifying quasi-identifiers, then all of these."""
    warnings: tuple[Caution, ...]
    sample: int | None
    dates: Mapping[str, DatesFound] = field(default_factory=dict)
    """Columns of text or numbers that hold dates, and how these are written; the inspection has
    looked at them as dates."""

    @property
    def reading(self) -> Reading:
        """How the columns that hold dates should be read, for a recipe."""
        return Reading().with_columns({name: one.reading for name, one in self.dates.items()})

    def card(self) -> Card:
        """Each column with its suggested role and the first reason for it, and the cautions."""
        rows = [
            (one.name, one.dtype, one.n_missing, one.n_distinct, one.role, one.reasons[:1])
            for one in self.columns
        ]
        heads = ("column", "type", "missing", "distinct", "suggested role", "because")
        title = f"Inspection: {self.n_records:,} records; columns: {len(self.columns)}"
        plain = ((*row[:-1], *(row[-1] or ("",))) for row in rows)
        return Card(title, tuple(map(str, self.warnings)), (grid(heads, plain, most=None),))

    def __getitem__(self, name: str) -> ColumnProfile:
        """The profile of one column."""
        for profile in self.columns:
            if profile.name == name:
                return profile
        raise KeyError(name)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "n_records": self.n_records,
            "columns": [_plain(profile) for profile in self.columns],
            "roles": self.roles.to_dict(),
            "key_sets": [_plain(keys) for keys in self.key_sets],
            "warnings": [_plain(caution) for caution in self.warnings],
            "sample": self.sample,
            "reading": self.reading.to_dict(),
            "dates": {name: one.sentence() for name, one in self.dates.items()},
        }


def as_line(step: Mapping[str, Any]) -> str:
    """A step as one line of a recipe.

    >>> as_line({"method": "drop", "columns": ["name"]})
    '- {method: drop, columns: [name]}'
    """
    told = yaml.safe_dump(
        dict(step), default_flow_style=True, sort_keys=False, allow_unicode=True, width=10**6
    )
    return f"- {told.strip()}"


def _plain(part: ColumnProfile | KeySet | Caution) -> dict[str, Any]:
    """Fields with lists instead of tuples, as in JSON."""
    plain: dict[str, Any] = {}
    for field_ in fields(part):
        value = getattr(part, field_.name)
        if isinstance(value, Method):
            plain[field_.name] = value.to_dict()
        elif value is not None or field_.name != "step":
            plain[field_.name] = list(value) if isinstance(value, tuple) else value
    return plain
