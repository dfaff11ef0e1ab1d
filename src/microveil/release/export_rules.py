"""Export rules: which columns may be released."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from microveil.errors import InputError
from microveil.recipes import Recipe
from microveil.release.evidence import Evidence
from microveil.tables import Roles, Table
from microveil.texts import Message, join, phrase

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
    if problems := list(_problems(naming, ids, refused)):
        raise InputError(join(problems))
    return list(columns)


def _problems(naming: list[str], ids: list[str], undeclared: list[str]) -> Iterator[Message]:
    """What the recipe must decide, one sentence for each kind of column, all at once."""
    if naming:
        yield phrase(
            "Column {names:quoted} identifies people, and no step processes it. Drop, mask or "
            "pseudonymize it.",
            many="Columns {names:quoted} identify people, and no step processes them. Drop, mask "
            "or pseudonymize them.",
            names=naming,
            n=len(naming),
        )
    if ids:
        yield phrase(
            "Column {names:quoted} shows which rows belong to one person or household, and no "
            "step processes it. Pseudonymize or drop it, or list it in `keep` to release it "
            "unchanged.",
            many="Columns {names:quoted} show which rows belong to one person or household, and "
            "no step processes them. Pseudonymize or drop them, or list them in `keep` to release "
            "them unchanged.",
            names=ids,
            n=len(ids),
        )
    if undeclared:
        yield phrase(
            "Column {names:quoted} is undeclared: it has no role, and no step names it. List it "
            "in roles.insensitive, drop it, or set `undeclared: keep` in the recipe.",
            many="Columns {names:quoted} are undeclared: they have no role, and no step names "
            "them. List them in roles.insensitive, drop them, or set `undeclared: keep` in the "
            "recipe.",
            names=undeclared,
            n=len(undeclared),
        )


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


def state_of(release: AnyRelease) -> tuple[Message, list[Message]]:
    """Whether a release may leave, in a few words, and the error that asking for data raises."""
    if not release.holds:
        return phrase("is withheld: a requirement is not met"), []
    try:
        release.leaving_columns()
    except InputError as error:
        return phrase("is withheld: a column is undecided"), [error.message]
    if not release.checks:
        return phrase("was not checked: nothing is required of it"), []
    return phrase("may be released"), []


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
