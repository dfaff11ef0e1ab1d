"""Suggestion: the role of each column, first by itself, then in context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from microveil.app.inspection.column import Column
from microveil.app.inspection.detectors import DETECTORS, Finding, detect
from microveil.app.inspection.detectors.accounts import ANY_ID, NO_PERSON
from microveil.app.inspection.detectors.design import BODY, SURVEY_WEIGHT
from microveil.app.inspection.detectors.national_ids import NATIONAL_IDS
from microveil.app.inspection.detectors.personal import BODY_MEASURE
from microveil.app.inspection.limits import (
    HEAVIEST,
    LARGEST_HOUSEHOLD,
    LIGHTEST,
    MOST_ROWS_PER_ENTITY,
    NEARLY_UNIQUE,
    ROWS_PER_ENTITY,
)
from microveil.app.inspection.naming import Words
from microveil.app.inspection.persons import persons
from microveil.app.inspection.result import Role
from microveil.app.inspection.role_names import ROLE_NAMES
from microveil.app.inspection.unrecognised import judge_unrecognised
from microveil.tables import Roles
from microveil.texts import Message

ENTITY_KINDS = ("person_id", "document_number", "email", "random_id", "group_id", "record_id")
"""Kinds that may identify the person of a row, likeliest first; national numbers come last."""

_OF_A_GROUP = Words("household* hh* famil*")


@dataclass(frozen=True, eq=False)
class Suggestion:
    """A column with its suggested role, and why."""

    column: Column
    finding: Finding | None
    role: Role | None
    reasons: tuple[str, ...]

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.name

    @property
    def kind(self) -> str | None:
        """What the column seems to hold."""
        return None if self.finding is None else self.finding.detector.kind

    def with_role(self, role: Role | None, reason: str) -> Suggestion:
        """The same column in another role."""
        return replace(self, role=role, reasons=(*self.reasons, reason))


def suggest(columns: Sequence[Column]) -> list[Suggestion]:
    """A role for every column, in the order of the columns."""
    suggestions = [_alone(column) for column in columns]
    suggestions = _bodies_have_weights(suggestions)
    suggestions = _only_one(suggestions, "weight", _by_weight_name, None)
    suggestions = _only_one(suggestions, "household", lambda _: 0, "quasi_identifier")
    suggestions = _members(suggestions)
    suggestions = persons(_entity(suggestions))
    return [_with_uniqueness(suggestion) for suggestion in suggestions]


def roles_of(suggestions: Sequence[Suggestion]) -> Roles:
    """The suggestions as roles; an entity's id is also an identifier."""

    def having(*roles: Role) -> tuple[str, ...]:
        return tuple(found.name for found in suggestions if found.role in roles)

    singles: dict[str, Any] = {
        role: next(iter(having(role)), None) for role in ("weight", "household", "entity")
    }
    return Roles(
        identifiers=having("identifier", "entity"),
        quasi_identifiers=having("quasi_identifier"),
        sensitive=having("sensitive"),
        insensitive=having("insensitive"),
        strata=having("strata"),
        **singles,
    )


def _alone(column: Column) -> Suggestion:
    """A role from the column alone."""
    finding = detect(column, DETECTORS)
    role = None if finding is None else finding.detector.role
    constant = column.counts.constant and column.counts.n_records > 1
    if constant and column.form not in ("nested", "empty") and role not in ("identifier", "weight"):
        return Suggestion(
            column,
            finding,
            "insensitive",
            (Message("inspect.same_every_record", "it is the same in every record"),),
        )
    if finding is not None:
        return Suggestion(column, finding, role, finding.reasons)
    role, reason = judge_unrecognised(column)
    return Suggestion(column, None, role, (reason,))


def _bodies_have_weights(suggestions: list[Suggestion]) -> list[Suggestion]:
    """Alongside heights, a plain "weight" is a body weight, not a sampling weight."""
    if not any(BODY.match(*found.column.names) for found in suggestions):
        return suggestions
    return [
        _as_body_measure(found)
        if found.role == "weight"
        and not SURVEY_WEIGHT.match(*found.column.names)
        and _weighs_as_bodies_do(found.column)
        else found
        for found in suggestions
    ]


def _weighs_as_bodies_do(column: Column) -> bool:
    """Kilograms or pounds of children or adults, in whichever unit."""
    numbers = column.views["number"].drop_nulls()
    middle = float(numbers.median() or 0) if len(numbers) else 0.0  # type: ignore[arg-type]
    return LIGHTEST <= middle <= HEAVIEST


def _members(suggestions: list[Suggestion]) -> list[Suggestion]:
    """Small numbers of which no household has one twice: they count its members."""
    home = next((found.column for found in suggestions if found.role == "household"), None)
    if home is None:
        return suggestions
    return [
        replace(
            found,
            role="identifier",
            reasons=(
                Message("inspect.counts_members_household", "it counts the members of a household"),
            ),
        )
        if found.kind is None and _counts_members(found.column, home)
        else found
        for found in suggestions
    ]


def _counts_members(column: Column, home: Column) -> bool:
    if column.form != "whole" or column.counts.n_distinct > LARGEST_HOUSEHOLD:
        return False
    pairs = pl.DataFrame({"home": home.series, "number": column.series}).drop_nulls()
    starts = pairs.height and int(pairs["number"].cast(pl.Int64, strict=False).min() or 0) == 1  # type: ignore[arg-type]
    return bool(starts) and not pairs.is_duplicated().any()


def _as_body_measure(found: Suggestion) -> Suggestion:
    finding = Finding(BODY_MEASURE, named=True, share=None)
    reasons = (
        Message(
            "inspect.alongside_heights_weight_body", "alongside heights, a weight is a body weight"
        ),
        BODY_MEASURE.why,
    )
    return Suggestion(found.column, finding, BODY_MEASURE.role, reasons)


def _by_weight_name(found: Suggestion) -> int:
    """Personal weights before household weights, clear names before plain ones."""
    names = found.column.names
    return 2 * bool(_OF_A_GROUP.match(*names)) - bool(SURVEY_WEIGHT.match(*names))


def _only_one(
    suggestions: list[Suggestion],
    role: Role,
    rank: Callable[[Suggestion], int],
    otherwise: Role | None,
) -> list[Suggestion]:
    """Assign a role that only one column can have to the lowest rank, the first if tied."""
    having = [found for found in suggestions if found.role == role]
    if len(having) < 2:  # noqa: PLR2004  a second one
        return suggestions
    chosen = min(having, key=rank)
    reason = Message(
        "inspect.role_suggested_column",
        "the role of {role} is suggested for column '{column}'",
        role=ROLE_NAMES[role],
        column=chosen.name,
    )
    return [
        found.with_role(otherwise, reason) if found.role == role and found is not chosen else found
        for found in suggestions
    ]


def _entity(suggestions: list[Suggestion]) -> list[Suggestion]:
    """Find the id of the person behind a row, if ids repeat."""
    candidates = [found for found in suggestions if _may_be_entity(found)]
    if any(_names_each_record(found) for found in suggestions):
        candidates = [found for found in candidates if found.kind == "person_id"]
    if not candidates:
        return suggestions
    chosen = min(candidates, key=_entity_rank)
    counts = chosen.column.counts
    reason = Message(
        "inspect.ids_over_records_several",
        "{n} ids over {m} records: several rows for each",
        n=counts.n_distinct,
        m=counts.n_records - counts.n_missing,
    )
    return [
        found.with_role("entity", reason) if found is chosen else found for found in suggestions
    ]


def _names_each_record(found: Suggestion) -> bool:
    """Whether every record has its own person, so that repeating ids mean something else."""
    each = found.column.counts.filled_distinction >= NEARLY_UNIQUE
    return each and found.kind in ("person_name", "person_id", "email", "document_number")


def _may_be_entity(found: Suggestion) -> bool:
    if found.finding is None or found.role not in ("identifier", "quasi_identifier"):
        return False
    if found.kind not in ENTITY_KINDS and found.finding.detector not in NATIONAL_IDS:
        return False
    if NO_PERSON.match(found.name) or (found.kind == "record_id" and not ANY_ID.match(found.name)):
        return False
    counts = found.column.counts
    present = counts.n_records - counts.n_missing
    rows_per_id = present / max(counts.n_distinct, 1)
    return ROWS_PER_ENTITY <= rows_per_id <= MOST_ROWS_PER_ENTITY * present


def _entity_rank(found: Suggestion) -> int:
    kind = found.kind or ""
    return ENTITY_KINDS.index(kind) if kind in ENTITY_KINDS else len(ENTITY_KINDS)


def _with_uniqueness(found: Suggestion) -> Suggestion:
    """Add the share of records that the column alone singles out."""
    counts = found.column.counts
    if not counts.n_unique or found.role not in ("identifier", "quasi_identifier", "entity"):
        return found
    alone = Message(
        "inspect.records_unique_value",
        "{share:%} of the records have a unique value",
        share=counts.uniqueness,
    )
    return replace(found, reasons=(*found.reasons, alone))
