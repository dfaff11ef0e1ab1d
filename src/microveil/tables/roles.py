"""Roles: what each column means for disclosure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator

from microveil.errors import ColumnError, InputError, did_you_mean, listing
from microveil.specs import Spec
from microveil.texts import Message, join, phrase


def _one_or_many(raw: object) -> object:
    return (raw,) if isinstance(raw, str) else raw


Columns = Annotated[
    tuple[str, ...],
    BeforeValidator(_one_or_many, json_schema_input_type=str | tuple[str, ...]),
]
"""Column names; a single name stands for a list of one."""

LISTS = ("identifiers", "quasi_identifiers", "sensitive", "insensitive")
SINGLES = ("weight", "household", "entity")
BOTH = ("quasi_identifiers", "sensitive")
"""The two roles that one column may have."""


class Roles(Spec):
    """What each column means for disclosure.

    A column has at most one of the first four roles, with one exception: it may be both
    quasi-identifier and sensitive. Class sizes count it as a key. Models and measures of attribute
    disclosure assume that the intruder knows the other keys, not the column itself.
    """

    identifiers: Columns = ()
    """Direct identifiers, which name a person by themselves: name, passport number, e-mail."""
    quasi_identifiers: Columns = ()
    """Quasi-identifiers (keys): columns an intruder may know, which together single people out."""
    sensitive: Columns = ()
    """Confidential columns that an intruder wants to learn: disease, income."""
    insensitive: Columns = ()
    """Columns considered harmless."""
    weight: str | None = None
    """Sampling weight: how many people in the population a record represents."""
    strata: Columns = ()
    """Strata: methods work separately within each combination of these columns."""
    household: str | None = None
    """Household identifier: equal values mean the same household."""
    entity: str | None = None
    """Identifier of the person, if people have several rows; classes then count people."""
    scenarios: Mapping[str, Columns] = Field(default_factory=dict)
    """Further named sets of quasi-identifiers; each requirement must hold for every one."""

    if TYPE_CHECKING:  # what callers may pass; what is kept stands above

        def __init__(  # noqa: PLR0913  one for each role
            self,
            *,
            identifiers: str | Sequence[str] = ...,
            quasi_identifiers: str | Sequence[str] = ...,
            sensitive: str | Sequence[str] = ...,
            insensitive: str | Sequence[str] = ...,
            weight: str | None = ...,
            strata: str | Sequence[str] = ...,
            household: str | None = ...,
            entity: str | None = ...,
            scenarios: Mapping[str, str | Sequence[str]] = ...,
        ) -> None: ...

    @model_validator(mode="after")
    def _one_role_each(self) -> Self:
        problems = []
        seen: dict[str, str] = {}
        for role in LISTS:
            for column in getattr(self, role):
                other = seen.get(column)
                if other is not None and (other, role) != BOTH:
                    problems.append(_say_clash(column, other, role))
                seen[column] = role
        single = {
            name: column for name in SINGLES if isinstance(column := getattr(self, name), str)
        }
        for name, column in single.items():
            if name != "entity" and column in (*self.identifiers, *self.sensitive):
                problems.append(
                    phrase(
                        "column '{column}' cannot be {name} and {seen}",
                        column=column,
                        name=name,
                        seen=seen[column],
                    )
                )
        problems += [
            phrase("scenario '{name}' names no column", name=name)
            for name, keys in self.scenarios.items()
            if not keys
        ]
        if problems:
            raise ValueError(
                phrase(
                    "Roles clash: {problems}. Give each column one role.",
                    problems=join(problems, "; "),
                )
            )  # so that pydantic lists it with the recipe's other problems
        return self

    @property
    def named(self) -> tuple[str, ...]:
        """Every column that has a role, once, in the order of the roles."""
        columns = [column for role in LISTS for column in getattr(self, role)]
        columns += self.strata
        columns += [column for name in SINGLES if isinstance(column := getattr(self, name), str)]
        columns += [column for keys in self.scenarios.values() for column in keys]
        return tuple(dict.fromkeys(columns))

    def of(self, column: str) -> tuple[str, ...]:
        """The names of the roles a column has.

        >>> Roles(quasi_identifiers=["zip"], strata=["zip"]).of("zip")
        ('quasi_identifiers', 'strata')
        """
        lists = [role for role in (*LISTS, "strata") if column in getattr(self, role)]
        singles = [role for role in SINGLES if getattr(self, role) == column]
        scenarios = [f"scenario {name}" for name, keys in self.scenarios.items() if column in keys]
        return (*lists, *singles, *scenarios)

    def key_sets(self) -> dict[str | None, tuple[str, ...]]:
        """The quasi-identifiers (under ``None``) and those of each scenario."""
        main: dict[str | None, tuple[str, ...]] = {None: self.quasi_identifiers}
        return main | dict(self.scenarios)

    def knowing(self, keys: Iterable[str]) -> Roles:
        """The roles as an intruder who knows these columns has them: its scenario alone.

        What is known is nothing left to infer, unless the roles call it both key and sensitive:
        then measures take the other keys for known.
        """
        keys, both = tuple(keys), set(self.quasi_identifiers)
        secret = tuple(name for name in self.sensitive if name not in keys or name in both)
        free = {
            role: tuple(name for name in getattr(self, role) if name not in keys)
            for role in ("identifiers", "insensitive")
        }
        changes = {"quasi_identifiers": keys, "sensitive": secret, "scenarios": {}, **free}
        return self.model_copy(update=changes)

    def without(self, columns: Iterable[str]) -> Roles:
        """The roles without these columns."""
        gone = set(columns)
        kept: dict[str, Any] = {
            role: tuple(c for c in getattr(self, role) if c not in gone)
            for role in (*LISTS, "strata")
        }
        for name in ("weight", "household", "entity"):
            kept[name] = None if getattr(self, name) in gone else getattr(self, name)
        scenarios = {
            name: tuple(c for c in keys if c not in gone) for name, keys in self.scenarios.items()
        }
        return Roles(**kept, scenarios={name: keys for name, keys in scenarios.items() if keys})

    def check_columns(self, columns: Iterable[str]) -> None:
        """Raise :class:`ColumnError` for a role whose column is not in the data."""
        check_columns(self.named, columns)


def _say_clash(column: str, other: str, role: str) -> Message:
    if other == role:
        return phrase("column '{column}' appears twice among {role}", column=column, role=role)
    return phrase(
        "column '{column}' appears both in {other} and {role}",
        column=column,
        other=other,
        role=role,
    )


def check_columns(wanted: Iterable[str], columns: Iterable[str]) -> None:
    """Raise :class:`ColumnError` naming every requested column that is not in the data."""
    columns = list(columns)
    there = set(columns)
    lacking = [name for name in dict.fromkeys(wanted) if name not in there]
    if lacking:
        parts = [
            phrase(
                "No column '{name}' in the data.{hint}", name=name, hint=did_you_mean(name, columns)
            )
            for name in lacking
        ]
        raise ColumnError(
            "{parts} Columns: {columns}.", parts=join(parts), columns=listing(columns, most=30)
        )


def as_roles(roles: Roles | Mapping[str, Any] | None) -> Roles:
    """Roles from what a caller gave: roles, a mapping of their fields, or nothing.

    >>> as_roles({"quasi_identifiers": ["age"]}).quasi_identifiers
    ('age',)
    """
    if roles is None:
        return Roles()
    if isinstance(roles, Mapping):
        return Roles.parse(dict(roles))
    if not isinstance(roles, Roles):
        raise InputError(
            "Roles are given as Roles(quasi_identifiers=[…]), not as {kind}.",
            kind=type(roles).__name__,
        )
    return roles
