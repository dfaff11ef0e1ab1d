"""Protect a table in one call: inspect, suggest, run, and state the assumptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from dataclasses import replace
from typing import Any, TypeVar, overload

import polars as pl

from microveil.app.inspection import Inspection, inspect
from microveil.app.inspection.persons import keep_links
from microveil.app.suggesting import Audience, default_ground, propose
from microveil.display import percent
from microveil.errors import InputError, quote
from microveil.files import Labels
from microveil.progress import Progress, shows_progress, silent
from microveil.recipes import Recipe
from microveil.release import Release
from microveil.tables import Door, Roles, Table
from microveil.texts import Message

SEEN_TO = ("high_cardinality", "exact_measure")
"""Topics of cautions about which every proposal does something."""


FrameT = TypeVar("FrameT", bound=Sized | pl.LazyFrame)


@overload
def protect(
    data: Mapping[str, Any],
    roles: Roles | None = None,
    *,
    k: int | None = None,
    audience: Audience | None = None,
    seed: int | None = None,
    labels: Labels | None = None,
    progress: Progress = silent,
) -> Release[pl.DataFrame]: ...
@overload
def protect(
    data: FrameT,
    roles: Roles | None = None,
    *,
    k: int | None = None,
    audience: Audience | None = None,
    seed: int | None = None,
    labels: Labels | None = None,
    progress: Progress = silent,
) -> Release[FrameT]: ...
@shows_progress
def protect(
    data: Any,
    roles: Roles | None = None,
    *,
    k: int | None = None,
    audience: Audience | None = None,
    seed: int | None = None,
    labels: Labels | None = None,
    progress: Progress = silent,
) -> Release:
    """Make a first release of any data frame: inspect roles, suggest steps, verify k-anonymity.

    ``release.notes`` lists the assumptions; ``release.recipe`` is the recipe to review, change and
    run again. Columns without a role are left out. Without a k, who will read the data decides:
    ``audience`` is ``public`` (11), ``research`` (5) or ``internal`` (3); otherwise their number.

    >>> release = protect({"age": [31, 32, 47, 48], "sex": ["f", "f", "m", "m"]}, k=2)
    >>> release.holds, release.data.height
    (True, 4)
    """
    door = Door(data)
    looked = inspect(door.frame, labels=labels)
    assumed = [] if roles is not None else _assumed_roles(looked.roles)
    given = None if roles is None else Table(door.frame, roles).roles
    roles = looked.roles if given is None else keep_links(given, looked.roles)
    assumed += [_people_counted(roles)] if given is not None and roles != given else []
    if not roles.quasi_identifiers and roles == looked.roles:
        roles = _cautious(looked)
        assumed += [_all_known(roles.quasi_identifiers)] if roles.quasi_identifiers else []
    if not roles.quasi_identifiers:
        raise InputError(
            "No column looks like a quasi-identifier. Name the columns an intruder may know: "
            "mv.protect(frame, mv.Roles(quasi_identifiers=[…]))."
        )
    if k is None:
        assumed.append(default_ground(Table(door.frame, roles), audience).why)
    progress(0, 1, "suggest")
    proposal = propose(data, roles, k=k, audience=audience, inspection=looked, seed=seed)
    recipe = proposal.recipe.model_copy(update={"undeclared": "drop"})
    release = replace(proposal.release, recipe=recipe, labels=labels or Labels())
    leaving = set(release.leaving_columns())
    cautions = [
        one.text
        for one in looked.warnings
        if leaving.intersection(one.columns)
        and one.topic not in SEEN_TO
        and (one.step is None or one.step not in recipe.steps)
    ]
    notes = (*assumed, *_describe_steps(recipe, release), *proposal.reasons, *cautions)
    return replace(release, notes=notes)


def _cautious(looked: Inspection) -> Roles:
    """Roles where no column looks like a key: all that nothing is known about are keys.

    Where all are amounts that nothing else is known about, these are keys. Numbers that count the
    records stand for nothing; where there is nothing else, they are keys.
    """
    roles = looked.roles
    counted = [one.name for one in looked.columns if one.kind == "row_number"]
    unknown = [one.name for one in looked.columns if one.kind is None and one.role == "sensitive"]
    known = roles.insensitive or tuple(unknown or (counted if not roles.sensitive else ()))
    return roles.without(known).model_copy(update={"quasi_identifiers": known})


def _people_counted(roles: Roles) -> str:
    """Links that were found, although the roles given do not name them."""
    links = list(dict.fromkeys(name for name in (roles.entity, roles.household) if name))
    return Message(
        "protect.people_counted",
        "Rows that share {names:quoted} belong together: k counts people, and the column is left "
        "out.",
        names=links,
    )


def _all_known(names: Sequence[str]) -> str:
    return Message(
        "protect.all_known",
        "No column looks like one that others know. To be safe, {names:quoted} are treated so.",
        names=list(names),
    )


def _assumed_roles(roles: Roles) -> list[str]:
    """The roles found by an inspection, as sentences."""
    words = {
        "identifiers": ("identifies people and is dropped", "identify people and are dropped"),
        "quasi_identifiers": ("may be known to an intruder",) * 2,
        "sensitive": ("is confidential", "are confidential"),
    }
    found = [(getattr(roles, name), text) for name, text in words.items()]
    return [_columns(columns, *text) for columns, text in found if columns]


def _columns(names: Sequence[str], one: str, several: str) -> str:
    """A sentence about one column or several."""
    single = len(names) == 1
    return f"Column{'' if single else 's'} {quote(names)} {one if single else several}."


def _describe_steps(recipe: Recipe, release: Release) -> list[str]:
    """What the steps did that a user should know first."""
    left_out = [
        name
        for name in release.original.columns
        if name not in recipe.roles.named and name in release.table.columns
    ]
    notes = [f"Steps: {', '.join(step.kind() for step in recipe.steps)}."]
    if left_out:
        notes.append(_columns(left_out, "has no role and is left out", "have no role, left out"))
    return [*notes, _describe_losses(release)]


def _describe_losses(release: Release) -> str:
    """Records removed and cells made missing."""
    before, after = release.original, release.table
    n_removed = before.height - after.height
    kept = before.frame if release.rows is None else before.frame[release.rows]
    keys = [name for name in before.roles.quasi_identifiers if name in after.columns]
    n_blanked = sum(after.frame[name].null_count() - kept[name].null_count() for name in keys)
    n_cells = max(after.height * len(keys), 1)
    return (
        f"Removed: {n_removed:,} of {before.height:,} records. Made missing: {n_blanked:,} of "
        f"{n_cells:,} cells of quasi-identifiers ({percent(n_blanked / n_cells)})."
    )
