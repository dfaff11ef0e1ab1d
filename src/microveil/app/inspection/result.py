"""What an inspection returns: plain data about columns, never a cell's value."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

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
"""A column's place in :class:`~microveil.tables.Roles`, in the singular."""


@dataclass(frozen=True)
class ColumnProfile:
    """One column: how full, how identifying, what it seems to hold, which role it should have."""

    name: str
    dtype: str
    """Type in words: ``text``, ``whole number``, ``date`` …"""
    n_missing: int
    missing_share: float
    n_distinct: int
    """Distinct values, missing not counted."""
    n_unique: int
    """Records that are alone with their value; missing is a value here and below."""
    uniqueness: float
    """Share of records that are alone with their value."""
    distinction: float
    """Distinct values per record: α of Motwani & Xu (2007)."""
    separation: float
    """Share of record pairs that the column tells apart: β; 0 below two records."""
    kind: str | None
    """What the column seems to hold (``email``, ``age`` …); none when nothing is recognised."""
    confidence: float | None
    """Share of the distinct values looked at that fit the kind; none when only the name speaks."""
    role: Role | None
    """Suggested role; none where a person has to decide."""
    reasons: tuple[str, ...]
    """Why, in words."""


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
    """Something about one or more columns to look at before publishing."""

    topic: str
    """Short name of the matter: ``weight``, ``free_text``, ``dependency`` …"""
    columns: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        """The sentence alone."""
        return self.text


@dataclass(frozen=True)
class Inspection:
    """A table looked over: columns, suggested roles and what to be careful about.

    Counts are exact. ``sample`` is the number of distinct values per column that the patterns
    saw at the most; none means all.
    """

    n_records: int
    columns: tuple[ColumnProfile, ...]
    roles: Roles
    key_sets: tuple[KeySet, ...]
    """Single columns, then pairs of the most telling quasi-identifiers, then all of these."""
    warnings: tuple[Caution, ...]
    sample: int | None

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
        }


def _plain(part: ColumnProfile | KeySet | Caution) -> dict[str, Any]:
    """Fields with lists for tuples, as JSON has them."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(part).items()
    }
