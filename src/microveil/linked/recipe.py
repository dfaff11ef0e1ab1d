"""LinkedRecipe: roles, steps and requirements of each table, their links, and the people."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import Field, model_validator

from microveil.errors import SpecError
from microveil.files import write_text
from microveil.files.texts import parsed_yaml, read_text
from microveil.linked.links import Link, key_parts
from microveil.linked.synthesis.settings import LinkedSynthesis
from microveil.methods import ShiftDates
from microveil.privacy import PrivacyModel
from microveil.recipes import MeasureRequirement, Recipe
from microveil.recipes.measure_requirement import REQUIREMENTS
from microveil.specs import Spec
from microveil.tables import Missing, Roles
from microveil.tables.roles import Columns
from microveil.texts import phrase

Take = Literal["count", "first", "last", "min", "max", "n_unique", "set"]


class Derived(Spec):
    """A column of the person's view that is computed over a link."""

    table: str
    """Table that is summed up."""
    take: Take
    """The number of rows, the first or last value, the least or largest, the number of distinct
    values, or the sorted set of all."""
    column: str | None = None
    """Column that is taken; a count needs none."""
    by: str | None = None
    """Column whose order decides what is first and last."""

    @model_validator(mode="after")
    def _says_enough(self) -> Self:
        if self.take != "count" and self.column is None:
            raise ValueError("Name the column.")
        if self.take in ("first", "last") and self.by is None:
            raise ValueError("Say by which column rows are ordered: by.")
        return self


class People(Spec):
    """Who the people are, what an intruder may know of them over all tables, and what must hold.

    A known column is one of the person's own table (``sex``), one of ``derived``, or one of a table
    that is theirs: ``visits.ward`` is the sorted list of all their wards, ``visits.ward+date`` that
    of wards with their dates.
    """

    table: str
    """Table with one row for each person."""
    key: str
    """Its primary key; several columns are joined by ``+``."""
    quasi_identifiers: Columns = ()
    """What an intruder may know."""
    sensitive: Columns = ()
    """What an intruder wants to learn."""
    scenarios: Mapping[str, Columns] = Field(default_factory=dict)
    """Further named sets of known columns; each requirement must hold for every one."""
    derived: Mapping[str, Derived] = Field(default_factory=dict)
    """Columns computed over a link, by name."""
    require: tuple[Annotated[PrivacyModel | MeasureRequirement, REQUIREMENTS], ...] = ()
    """What must hold of people over all tables: models, and limits on measures of the view."""
    missing: Missing = "category"
    """How something unknown is treated when people are counted: as a value of its own
    (``category``), or as a match for every value (``wildcard``). In lists of values it is always a
    value of its own."""
    suppress: bool = False
    """Whether people who break a requirement are removed, with everything that is theirs."""

    def known_columns(self) -> list[str]:
        """Everything that is known of people, or wanted, once."""
        known = [*self.quasi_identifiers, *self.sensitive]
        known += [name for some in self.scenarios.values() for name in some]
        return list(dict.fromkeys(known))

    def sources(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """Table and columns that each known column is made of."""
        made: dict[str, tuple[str, tuple[str, ...]]] = {}
        for name in self.known_columns():
            table, _, columns = name.partition(".")
            if (one := self.derived.get(name)) is not None:
                made[name] = (one.table, (one.column,) if one.column else ())
            else:
                made[name] = (
                    (table, tuple(columns.split("+"))) if columns else (self.table, (name,))
                )
        return made

    def roles_without(self, gone: Collection[str]) -> Roles:
        """The roles of the columns of the person's view, but for those that are gone."""
        known, wanted = (
            tuple(one for one in some if one not in gone)
            for some in (self.quasi_identifiers, self.sensitive)
        )
        scenarios = {
            name: kept
            for name, keys in self.scenarios.items()
            if (kept := tuple(one for one in keys if one not in gone))
        }
        return Roles(quasi_identifiers=known, sensitive=wanted, scenarios=scenarios)


class LinkedRecipe(Spec):
    """What is done to each of several linked tables, and what must hold of their people."""

    tables: Mapping[str, Recipe]
    """Roles, steps and requirements by table; tables that are not named are not released."""
    links: tuple[Link, ...] = ()
    """Foreign keys: ``visits.patient_id -> patients.id``."""
    people: People
    """Who the people are, and what must hold of them."""
    keys: Literal["renumber", "pseudonymize", "keep"] = "renumber"
    """Whether primary and foreign keys are replaced by random numbers, the same in all tables; by
    keyed pseudonyms, the same in all runs with one key; or released as they are."""
    key_env: str = Field(default="MICROVEIL_KEY", min_length=1)
    """Environment variable that holds the secret key of pseudonyms."""
    key_file: Path | None = None
    """File that holds the secret key, instead of the environment variable."""

    synthesize: LinkedSynthesis | None = None
    """Draw synthetic tables in the place of the real ones: parents first, children given their
    parent, their number and their order."""

    @model_validator(mode="after")
    def _publishes_records_only(self) -> Self:
        for name, recipe in self.tables.items():
            if recipe.tables is not None:
                raise ValueError(
                    phrase(
                        "tables.{name}: protected tables are not made from linked tables; make "
                        "them with `microveil table`.",
                        name=name,
                    )
                )
        return self

    @model_validator(mode="after")
    def _names_its_tables(self) -> Self:
        named = [self.people.table, *(one.table for one in self.people.derived.values())]
        named += [name for link in self.links for name in (link.table, link.to)]
        lacking = sorted({name for name in named if name not in self.tables})
        if lacking:
            raise ValueError(phrase("tables: there is no table {names:quoted}.", names=lacking))
        return self

    @model_validator(mode="after")
    def _shifts_people_alike(self) -> Self:
        """Refuse shifts that one table's dates decide: a person's tables would move apart."""
        steps = [step for one in self.tables.values() for step in one.steps]
        if any(isinstance(step, ShiftDates) and not step.row_wise for step in steps):
            raise ValueError(
                "shift_dates: `keep: [year]` and `birth` look at the dates of one table, so that "
                "a person's tables would be treated apart. Leave them out in linked tables; "
                "relative_dates counts days since birth."
            )
        return self

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a linked recipe from a YAML or JSON file."""
        return cls.from_yaml(read_text(path), str(path))

    @classmethod
    def from_yaml(cls, text: str, source: str | None = None) -> Self:
        """Parse a linked recipe; all its problems are reported at once."""
        raw = parsed_yaml(text, source)
        if not is_linked(raw):
            raise SpecError(
                ["A recipe for linked tables has `tables`, a mapping from names to recipes."],
                source,
            )
        return cls.parse(raw, source)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as a recipe file has them."""
        plain: dict[str, Any] = {
            "tables": {name: one.to_dict() for name, one in self.tables.items()},
            "links": [str(link) for link in self.links],
            "people": self.people.to_dict(),
        }
        if self.synthesize is not None:
            told = self.synthesize.to_dict()
            rules = [str(rule) for rule in self.synthesize.rules]
            plain["synthesize"] = told | ({"rules": rules} if rules else {})
        plain |= {"keys": self.keys} if self.keys != "renumber" else {}
        plain |= {"key_env": self.key_env} if self.key_env != "MICROVEIL_KEY" else {}
        return plain | ({} if self.key_file is None else {"key_file": str(self.key_file)})

    def to_yaml(self) -> str:
        """The recipe as YAML, without seeds, keys or values of records."""
        return yaml.safe_dump(self.to_dict(), sort_keys=False, allow_unicode=True, width=100)

    def write(self, path: str | Path) -> None:
        """Write the recipe as YAML, atomically."""
        write_text(self.to_yaml(), Path(path))


def key_columns(recipe: LinkedRecipe, name: str) -> tuple[str, ...]:
    """Primary and foreign keys of a table."""
    keys = [column for link in recipe.links if link.table == name for column in link.columns]
    keys += [key for link in recipe.links if link.to == name for key in link.keys]
    keys += key_parts(recipe.people.key) if recipe.people.table == name else ()
    return tuple(dict.fromkeys(keys))


def linked_recipe_schema() -> dict[str, Any]:
    """The JSON Schema of recipes for linked tables, for editors; links may also be text."""
    schema = LinkedRecipe.model_json_schema()
    written = {"Link": "visits.patient -> patients.id", "TableRule": "visits.day <= patients.death"}
    for name, example in written.items():
        plain = schema["$defs"][name]
        schema["$defs"][name] = {"anyOf": [{"type": "string", "examples": [example]}, plain]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Microveil recipe for linked tables",
    } | {key: value for key, value in schema.items() if key != "title"}


def is_linked(raw: object) -> bool:
    """Whether plain data are a recipe for linked tables: `tables` maps names to recipes.

    A recipe that publishes tables has a list there, or a mapping with a list of tables.
    """
    tables = raw.get("tables") if isinstance(raw, Mapping) else None
    return isinstance(tables, Mapping) and not isinstance(tables.get("tables"), list)
