"""Declaration: an owner's description of a private table; nothing is taken from its data."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import BeforeValidator, Field, model_validator

from microveil.errors import QueryError, SpecError, did_you_mean, listing, quote
from microveil.files.texts import parsed_yaml, read_text
from microveil.specs import Spec

Type = Literal["integer", "real", "boolean", "text", "date"]
Neighbours = Literal["add_remove", "change_one"]


def _iso(raw: object) -> object:
    return raw.isoformat() if isinstance(raw, date) else raw


Bound = Annotated[int | float | str, BeforeValidator(_iso)]
"""A number, or an ISO date."""
Key = Annotated[bool | int | str | None, BeforeValidator(_iso)]
"""A value that may be used in breakdowns; None stands for missing."""


class Column(Spec):
    """Public knowledge about a column. None of it may be derived from the data."""

    type: Type
    """``integer``, ``real``, ``boolean``, ``text`` or ``date``."""
    bounds: tuple[Bound, Bound] | None = None
    """Smallest and largest value, from public knowledge; values beyond are clamped to them."""
    keys: tuple[Key, ...] | None = Field(default=None, min_length=1)
    """All values that results may be broken down by (null for missing); others are in no group."""
    description: str = ""
    """What the column means, for analysts."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        problems = [*_bounds_problems(self), *_keys_problems(self)]
        if problems:
            raise ValueError(" ".join(problems))
        return self

    @property
    def is_number(self) -> bool:
        """Whether values can be summed."""
        return self.type in {"integer", "real", "boolean"}

    @property
    def limits(self) -> tuple[float, float] | None:
        """The bounds as numbers; dates as days since 1970."""
        if self.type == "boolean":
            return (0, 1)
        if self.bounds is None:
            return None
        if self.type == "date":
            low, high = (_days(str(bound)) for bound in self.bounds)
            return (low, high)
        return (_number(self.bounds[0]), _number(self.bounds[1]))

    def public_keys(self) -> tuple[Key, ...] | None:
        """The keys: those declared, both booleans, or all whole numbers within the bounds."""
        if self.keys is not None:
            return self.keys
        if self.type == "boolean":
            return (False, True)
        limits = self.limits
        if self.type == "integer" and limits is not None and limits[1] - limits[0] < MOST_KEYS:
            return tuple(range(int(limits[0]), int(limits[1]) + 1))
        return None


MOST_KEYS = 10_000
"""Integers within wider bounds than this are not keys unless they are listed."""


class Entity(Spec):
    """Who is protected, if people may have several rows."""

    column: str
    """Column that identifies the entity; rows without it are left out."""
    max_rows: int = Field(ge=1)
    """Largest number of rows of one entity that count; if there are more, the first are kept."""
    max_groups: int | None = Field(default=None, ge=1)
    """Largest number of groups of a breakdown in which an entity counts; default ``max_rows``."""

    @property
    def groups(self) -> int:
        """Largest number of groups an entity can be in."""
        return self.max_rows if self.max_groups is None else min(self.max_groups, self.max_rows)


class PublicTable(Spec):
    """A public table, to be joined to the private one by a key."""

    key: str
    """The common column; in the public table each of its values occurs once."""
    columns: Mapping[str, Column]
    """The columns it adds."""


class Declaration(Spec):
    """Public knowledge about a private table: columns, bounds, keys, and who is protected.

    >>> Declaration(name="survey", columns={"age": Column(type="integer", bounds=(0, 110))}).unit
    'one row'
    """

    name: str = "table"
    """Name of the table in SQL."""
    columns: Mapping[str, Column] = Field(min_length=1)
    """The columns that may be queried."""
    entity: Entity | None = None
    """Who is protected; by default every row is a person."""
    neighbours: Neighbours = "add_remove"
    """What stays hidden: whether somebody is in the table (``add_remove``), or the data of somebody
    while the number of people is known (``change_one``)."""
    size: int | None = Field(default=None, ge=0)
    """Number of rows, exact if ``size_is_public``, otherwise a public guess for forecasts."""
    size_is_public: bool = False
    """Whether the number of rows is public; only with ``change_one`` and without entity."""
    tables: Mapping[str, PublicTable] = Field(default_factory=dict)
    """Public tables that may be joined."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        problems = _declaration_problems(self)
        if problems:
            raise ValueError(" ".join(problems))
        return self

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a declaration from a YAML or JSON file."""
        return cls.from_yaml(read_text(path), source=str(path))

    @classmethod
    def from_yaml(cls, text: str, source: str | None = None) -> Self:
        """Parse a declaration from YAML; all its problems are reported at once."""
        raw = parsed_yaml(text, source)
        if not isinstance(raw, dict):
            raise SpecError(["A declaration is a mapping with `columns`."], source)
        return cls.parse(raw, source)

    def to_yaml(self) -> str:
        """The declaration as YAML."""
        return yaml.safe_dump(self.to_dict(), sort_keys=False, allow_unicode=True, width=100)

    @property
    def max_rows(self) -> int:
        """Largest number of rows of one protected unit."""
        return 1 if self.entity is None else self.entity.max_rows

    @property
    def max_groups(self) -> int:
        """Largest number of groups of a breakdown that one protected unit is in."""
        return 1 if self.entity is None else self.entity.groups

    @property
    def unit(self) -> str:
        """Whom the guarantee protects, in words."""
        if self.entity is None:
            return "one row"
        rows = "1 row" if self.max_rows == 1 else f"{self.max_rows} rows at most"
        return f"one entity (column '{self.entity.column}', {rows})"

    @property
    def relation(self) -> str:
        """Which two tables must be indistinguishable, in words."""
        if self.neighbours == "add_remove":
            return f"tables that differ by adding or removing {self.unit}"
        return f"tables of the same size that differ in {self.unit}"

    def known_columns(self, join: tuple[str, ...] = ()) -> dict[str, Column]:
        """The columns of the table and of the public tables joined to it."""
        known = dict(self.columns)
        for name in join:
            known |= dict(self.public_table(name).columns)
        return known

    def column(self, name: str, join: tuple[str, ...] = ()) -> Column:
        """A declared column, or an error that names the nearest."""
        known = self.known_columns(join)
        if name not in known:
            hint = did_you_mean(name, known)
            raise QueryError(
                f"No column '{name}' is declared.{hint} Columns: {listing(known, most=30)}."
            )
        return known[name]

    def public_table(self, name: str) -> PublicTable:
        """A public table by its name."""
        if name not in self.tables:
            raise QueryError(
                f"No public table '{name}' is declared.{did_you_mean(name, self.tables)} "
                "Only public tables can be joined."
            )
        return self.tables[name]

    def number_bounds(self, name: str, join: tuple[str, ...] = ()) -> tuple[float, float]:
        """The bounds of a column of numbers, or an error that says how to choose them."""
        column = self.column(name, join)
        if not column.is_number:
            raise QueryError(f"Column '{name}' is {column.type}; a number is needed here.")
        return self.ordered_bounds(name, join)

    def ordered_bounds(self, name: str, join: tuple[str, ...] = ()) -> tuple[float, float]:
        """The bounds of a column of numbers or dates."""
        column = self.column(name, join)
        if column.type == "text":
            raise QueryError(f"Column '{name}' is text; numbers or dates are needed here.")
        limits = column.limits
        if limits is None:
            raise QueryError(
                f"Column '{name}' has no bounds, and the noise is scaled by them. Declare "
                "`bounds: [low, high]` from public knowledge (the ends of a scale, a legal limit, "
                "an earlier publication), never from the data; values beyond are clamped to them."
            )
        return limits

    def keys_of(self, name: str, join: tuple[str, ...] = ()) -> tuple[Key, ...] | None:
        """The public keys of a column; None if it has none."""
        return self.column(name, join).public_keys()


def _number(bound: Bound) -> float:
    return float(bound) if isinstance(bound, str) else bound


def _days(text: str) -> int:
    return (date.fromisoformat(text) - date(1970, 1, 1)).days


def _bounds_problems(column: Column) -> list[str]:
    if column.bounds is None:
        return []
    if column.type in {"text", "boolean"}:
        return [f"A column of type {column.type} takes no bounds."]
    try:
        limits = column.limits
    except ValueError:
        wanted = "ISO dates (2024-01-31)" if column.type == "date" else "numbers"
        return [f"Bounds must be {wanted}."]
    if limits is not None and not limits[0] < limits[1]:
        return ["The lower bound must be below the upper one."]
    fractional = limits is not None and any(limit != int(limit) for limit in limits)
    return (
        ["Bounds of integers are whole numbers."] if column.type == "integer" and fractional else []
    )


_KEY_TYPES: Mapping[str, tuple[type, ...]] = {
    "integer": (int,),
    "text": (str,),
    "boolean": (bool,),
    "date": (str,),
}


def _keys_problems(column: Column) -> list[str]:
    if column.keys is None:
        return []
    if column.type == "real":
        return ["Real numbers cannot be keys; ask for a histogram instead."]
    wanted = _KEY_TYPES[column.type]
    if any(key is not None and type(key) not in wanted for key in column.keys):
        return [f"Keys of a column of type {column.type} must be of that type, or null."]
    doubled = len(set(column.keys)) < len(column.keys)
    return ["Each key may occur only once."] if doubled else []


def _declaration_problems(declaration: Declaration) -> list[str]:
    problems = []
    if declaration.size_is_public:
        if declaration.neighbours != "change_one":
            problems.append("A public size needs `neighbours: change_one`.")
        if declaration.entity is not None:
            problems.append("With an entity, the number of rows is not public.")
        if declaration.size is None:
            problems.append("Give the public size: `size: …`.")
    brought: dict[str, str] = {}
    for name, table in declaration.tables.items():
        again = [column for column in table.columns if column in brought]
        brought |= dict.fromkeys(table.columns, name)
        if again:
            problems.append(f"Table '{name}' brings {quote(again)}, which another brings too.")
        if table.key not in declaration.columns:
            problems.append(f"Table '{name}' joins on '{table.key}', which is not declared.")
        both = [column for column in table.columns if column in declaration.columns]
        if both:
            problems.append(f"Table '{name}' brings {quote(both)}, which the private one has too.")
    return problems


def as_declaration(raw: Any) -> Declaration:
    """A declaration unchanged, or read from a file or from plain data."""
    if isinstance(raw, Declaration):
        return raw
    if isinstance(raw, str | Path):
        return Declaration.read(raw)
    return Declaration.parse(raw)
