"""Options for the roles of columns: one each, or all of them from a recipe."""

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
        typer.Option("--identifiers", help="Direct identifiers, comma-separated."),
    ],
    "weight": options.Weight,
    "strata": Annotated[
        list[str] | None, typer.Option("--strata", help="Strata columns, comma-separated.")
    ],
    "household": Annotated[
        str | None,
        typer.Option("--household", help="Household identifier."),
    ],
    "entity": Annotated[
        str | None,
        typer.Option("--entity", help="Person identifier, if people have several rows."),
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
            help="Take roles, hierarchies and the treatment of missing keys from this recipe, and "
            "the effect of its steps on risk.",
        ),
    ],
    "missing": Annotated[
        str | None,
        typer.Option(
            "--missing",
            help="A missing key is a 'category' of its own or a 'wildcard' (sdcMicro); by default "
            "as in the recipe, otherwise a category.",
        ),
    ],
}
"""Every role, the recipe that may replace them, and the treatment of missing keys."""


def takes_role_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add these options to a command, as its parameter ``given``."""
    return options.takes_options(command, ROLES, "given")


def recipe_of(given: Mapping[str, Any]) -> Recipe | None:
    """The recipe, if one was given, and no roles besides."""
    from microveil.recipes import Recipe

    if given["recipe"] is None:
        return None
    if any(given[name] for name in ROLES if name not in ("recipe", "missing")):
        raise InputError("Give the roles by --recipe or by -q and -s, not by both.")
    return Recipe.read(given["recipe"])


def roles_of(given: Mapping[str, Any]) -> Roles:
    """The roles from the options."""
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
    """How missing keys are treated; None if the recipe decides, or nothing was given."""
    word = given["missing"]
    checked: Missing | None = None if word is None else options.checked_missing(word)
    return checked
