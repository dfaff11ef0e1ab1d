"""Options that say what the columns mean: one role each, or all of them by a recipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from microveil.cli import options
from microveil.errors import InputError

if TYPE_CHECKING:
    from microveil.recipes import Recipe
    from microveil.tables import Missing, Roles

LISTS = {"identifiers": "identifiers", "sensitive": "sensitive", "strata": "strata"}
ROLES: dict[str, Any] = {
    "quasi": options.QuasiIdentifiers,
    "sensitive": options.Sensitive,
    "identifiers": Annotated[
        list[str] | None,
        typer.Option("--identifiers", help="Columns that name people, comma-separated."),
    ],
    "weight": options.Weight,
    "strata": Annotated[
        list[str] | None, typer.Option("--strata", help="Columns of the strata, comma-separated.")
    ],
    "household": Annotated[
        str | None,
        typer.Option("--household", help="Column whose equal values mean one household."),
    ],
    "entity": Annotated[
        str | None,
        typer.Option("--entity", help="Whom a row is about, where one person has several rows."),
    ],
    "scenario": Annotated[
        list[str] | None,
        typer.Option(
            "--scenario", help="Another set of quasi-identifiers, repeated: NAME=age,town."
        ),
    ],
    "recipe": Annotated[
        Path | None,
        typer.Option(
            "--recipe",
            help="Take roles, hierarchies and the reading of missing keys from this recipe, and "
            "what its steps mean for risk.",
        ),
    ],
    "missing": Annotated[
        str | None,
        typer.Option(
            "--missing",
            help="A missing key is a 'category' of its own or a 'wildcard' (sdcMicro); unless "
            "said, as the recipe reads it, else a category.",
        ),
    ],
}
"""Every role, the recipe that may stand for all, and how missing keys are read."""


def takes_role_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command these options; they reach it as its parameter ``given``."""
    return options.takes_options(command, ROLES, "given")


def recipe_of(given: Mapping[str, Any]) -> Recipe | None:
    """The recipe, if one was given, and no role beside it."""
    from microveil.recipes import Recipe

    if given["recipe"] is None:
        return None
    if any(given[name] for name in ROLES if name not in ("recipe", "missing")):
        raise InputError("Give the roles by --recipe or by -q and -s, not by both.")
    return Recipe.read(given["recipe"])


def roles_of(given: Mapping[str, Any]) -> Roles:
    """The roles of the options."""
    from microveil.tables import Roles

    plain: dict[str, Any] = {role: options.names(given[name]) for name, role in LISTS.items()}
    plain |= {name: given[name] for name in ("weight", "household", "entity")}
    scenarios = dict(_scenario(text) for text in given["scenario"] or ())
    return Roles.parse(
        {"quasi_identifiers": options.names(given["quasi"]), "scenarios": scenarios, **plain}
    )


def _scenario(text: str) -> tuple[str, tuple[str, ...]]:
    name, equals, columns = text.partition("=")
    if not equals or not name.strip():
        raise InputError("A scenario reads like --scenario neighbour=age,town.")
    return name.strip(), options.names([columns])


def missing_of(given: Mapping[str, Any]) -> Missing | None:
    """How missing keys are read; none where the recipe decides, or nobody."""
    word = given["missing"]
    checked: Missing | None = None if word is None else options.missing_reading(word)
    return checked
