"""Export rules: which columns may be released."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from microveil.errors import InputError, quote
from microveil.recipes import Recipe
from microveil.release.evidence import Evidence
from microveil.tables import Roles, Table

if TYPE_CHECKING:
    from microveil.privacy import Check
    from microveil.release.cautions import Caution
    from microveil.release.release import StepFacts
    from microveil.risk import Assessment


def leaving(recipe: Recipe, columns: Sequence[str], original: Table) -> list[str]:
    """Columns of a result that may be released; an error if the recipe must decide first.

    A column is decided if it has a role or a step names it. One that identifies people, or shows
    which rows belong to one person or household, is released only if a step processes it (or, for
    ids, if the recipe's ``keep`` lists it). Columns created by a step were decided by that step.
    """
    naming, ids, undeclared = _open_questions(recipe, columns, original)
    if recipe.undeclared == "drop":
        return [name for name in columns if name not in {*naming, *ids, *undeclared}]
    refused = undeclared if recipe.undeclared == "refuse" else []
    if problems := " ".join(_problems(naming, ids, refused)):
        raise InputError(problems)
    return list(columns)


def _problems(naming: list[str], ids: list[str], undeclared: list[str]) -> Iterator[str]:
    """What the recipe must decide, one sentence for each kind of column, all at once."""
    if naming:
        one = len(naming) == 1
        yield (
            f"{_columns(naming)} {'identifies' if one else 'identify'} people, and no step "
            f"processes {_it(naming)}. Drop, mask or pseudonymize {_it(naming)}."
        )
    if ids:
        yield (
            f"{_columns(ids)} {'shows' if len(ids) == 1 else 'show'} which rows belong to one "
            f"person or household, and no step processes {_it(ids)}. Pseudonymize or drop "
            f"{_it(ids)}, or list {_it(ids)} in `keep` to release {_it(ids)} unchanged."
        )
    if undeclared:
        has = "is undeclared: it has" if len(undeclared) == 1 else "are undeclared: they have"
        yield (
            f"{_columns(undeclared)} {has} no role, and no step names {_it(undeclared)}. List "
            f"{_it(undeclared)} in roles.insensitive, drop {_it(undeclared)}, or set "
            "`undeclared: keep` in the recipe."
        )


def _columns(names: Sequence[str]) -> str:
    return f"Column{'' if len(names) == 1 else 's'} {quote(names)}"


def _it(names: Sequence[str]) -> str:
    return "it" if len(names) == 1 else "them"


class AnyRelease(Protocol):
    """What a release has on every engine: its evidence, and data only if all requirements hold."""

    @property
    def recipe(self) -> Recipe:
        """The recipe it was made by."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """Every requirement, checked."""

    @property
    def facts(self) -> tuple[StepFacts, ...]:
        """What each step did."""

    @property
    def holds(self) -> bool:
        """Whether every requirement is met."""

    @property
    def data(self) -> Any:
        """The released frame; raises an error if a requirement is broken."""

    @property
    def risk(self) -> Assessment:
        """Disclosure risk of the result."""

    @property
    def risk_before(self) -> Assessment:
        """Disclosure risk of the original."""

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """What the requirements leave open, and keys that say nothing any more."""

    def leaving_columns(self) -> list[str]:
        """Columns that are released."""


def state_of(release: AnyRelease) -> tuple[str, list[str]]:
    """Whether a release may leave, in a few words, and the error that asking for data raises."""
    if not release.holds:
        return "is withheld: a requirement is not met", []
    try:
        release.leaving_columns()
    except InputError as error:
        return "is withheld: a column is undecided", [str(error)]
    if not release.checks:
        return "was not checked: nothing is required of it", []
    return "may be released", []


def undecided_columns(recipe: Recipe, columns: Sequence[str], original: Table) -> tuple[str, ...]:
    """The columns that are refused or dropped because they are undeclared."""
    naming, ids, undeclared = _open_questions(recipe, columns, original)
    held_back = {*naming, *ids, *(() if recipe.undeclared == "keep" else undeclared)}
    return tuple(name for name in columns if name in held_back)


def evidence_of(recipe: Recipe, table: Table, joined: Table | None, original: Table) -> Evidence:
    """What requirements are checked on; columns that the export drops are no keys."""
    if recipe.undeclared != "drop":
        return Evidence.of(table, joined, original)
    columns = table.columns if joined is None else [*table.columns, *joined.columns]
    held_back = undecided_columns(recipe, list(dict.fromkeys(columns)), original)
    return Evidence.of(table, joined, original, held_back)


def _open_questions(
    recipe: Recipe, columns: Sequence[str], original: Table
) -> tuple[list[str], list[str], list[str]]:
    """Columns that identify people, that link people's rows, and those without role or step."""
    roles = recipe.roles
    there = set(original.columns) - set(recipe.keep)
    came_in = [name for name in columns if name in there]
    named = _named_by_steps(recipe, original)
    naming = [name for name in came_in if name in roles.identifiers and name not in named]
    ids = [name for name in came_in if name in (roles.entity, roles.household)]
    ids = [name for name in ids if name not in named and name not in naming]
    declared = {name for step in recipe.steps for name in step.touches(original)} | {*roles.named}
    undeclared = [name for name in came_in if name not in declared]
    return naming, ids, undeclared


def _named_by_steps(recipe: Recipe, original: Table) -> set[str]:
    """Columns that a step is meant to process: not the keys as a whole, nor a mere split."""
    alone = original.with_roles(Roles())
    return {
        name
        for step in recipe.steps
        for name in (step.leaves_out(original) if step.splits else step.touches(alone))
    }
