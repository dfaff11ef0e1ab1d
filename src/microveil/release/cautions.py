"""Cautions: what a reader must know beyond the requirements, computed once for every surface."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from microveil.errors import quote
from microveil.measures.base import RiskMeasure
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.recipes import Recipe
    from microveil.recipes.measure_requirement import MeasureRequirement
    from microveil.tables import Standing

INFERRED = "Can something be inferred about somebody?"
"""The question of measures that limit what is learnt about sensitive columns."""
NAMING = ("column", "columns", "secret")
"""Settings by which a measure names the columns that it is about."""

Standings = Mapping[str | None, "Standing"]
"""Where a table stands by its quasi-identifiers, under None, and by each scenario's."""


@dataclass(frozen=True)
class Caution:
    """One thing to know before a release is trusted; no cell value."""

    kind: str
    """A name that programs can rely on, such as ``nothing_required``."""
    sentence: str
    columns: tuple[str, ...] = ()
    """The columns it is about."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Further plain numbers and names, for programs."""
    public_sentence: str | None = None
    """What the public is told, where the sentence itself would help an intruder."""

    def __str__(self) -> str:
        """The sentence."""
        return self.sentence

    @property
    def for_the_public(self) -> str:
        """The sentence for readers who may be intruders."""
        return self.sentence if self.public_sentence is None else self.public_sentence

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        plain = {"kind": self.kind, "sentence": self.sentence, "columns": list(self.columns)}
        return {**plain, **({"details": dict(self.details)} if self.details else {})}


def cautions_of(
    recipe: Recipe,
    released: Collection[str],
    before: Standings | None = None,
    after: Standings | None = None,
) -> tuple[Caution, ...]:
    """What the requirements leave open, and keys that say nothing any more.

    ``released`` are the columns of all released tables. Without ``after`` keys are not judged;
    without ``before`` a key that was constant from the start is mentioned, too.
    """
    unchecked = tuple(
        name
        for name in recipe.roles.sensitive
        if name in released and not _is_required(recipe, name)
    )
    return (
        *_left_open(recipe, unchecked),
        *_kept_ids(recipe, released),
        *_redacted_text(recipe, released),
        *([] if after is None else _constant(before or {}, after)),
    )


def _left_open(recipe: Recipe, unchecked: tuple[str, ...]) -> Iterator[Caution]:
    if not recipe.require:
        yield Caution(
            "nothing_required",
            Message(
                "caution.nothing_required",
                "Nothing was required of this release: no privacy model and no limit on a measure "
                "was checked.",
            ),
        )
    if unchecked:
        yield Caution(
            "sensitive_unchecked",
            Message(
                "caution.sensitive_unchecked",
                "No requirement concerns the sensitive column {columns}: what the release reveals "
                "about it was not checked.",
                many="No requirement concerns the sensitive columns {columns}: what the release "
                "reveals about them was not checked.",
                n=len(unchecked),
                columns=quote(unchecked),
            ),
            unchecked,
            {"require": {"model": "l_diversity", "l": 2, "column": unchecked[0]}}
            if recipe.roles.quasi_identifiers
            else {},
        )


def _kept_ids(recipe: Recipe, released: Collection[str]) -> Iterator[Caution]:
    """Ids that leave as they are: whoever has them in other data needs no keys."""
    roles = recipe.roles
    ids = {*roles.identifiers, roles.entity, roles.household}
    kept = tuple(name for name in recipe.keep if name in ids and name in released)
    if kept:
        yield Caution(
            "kept_ids",
            Message(
                "caution.kept_ids",
                "Column {columns} is released unchanged (`keep`): whoever has the same ids in "
                "other data finds the records without any key. Pseudonymize or drop it.",
                many="Columns {columns} are released unchanged (`keep`): whoever has the same ids "
                "in other data finds the records without any key. Pseudonymize or drop them.",
                n=len(kept),
                columns=quote(kept),
            ),
            kept,
        )


def _redacted_text(recipe: Recipe, released: Collection[str]) -> Iterator[Caution]:
    """Free text that leaves: no search finds all that may lead to somebody."""
    texts = tuple(
        name
        for step in recipe.steps
        if step.kind() == "redact"
        for name in getattr(step, "columns", ())
        if name in released
    )
    if texts:
        yield Caution(
            "redacted_text",
            Message(
                "caution.redacted_text",
                "Column {columns} holds free text that was redacted by search: what remains is not "
                "guaranteed to name nobody. Read a sample, or leave it out.",
                many="Columns {columns} hold free text that was redacted by search: what remains "
                "is not guaranteed to name nobody. Read a sample, or leave them out.",
                n=len(texts),
                columns=quote(texts),
            ),
            texts,
        )


def _constant(before: Standings, after: Standings) -> Iterator[Caution]:
    """Keys that distinguish nobody any more, for each set of keys all together or one by one."""
    told: set[str] = set()
    for scenario, found in after.items():
        if found.n_records <= 1:
            continue
        earlier = before.get(scenario)
        from_the_start = () if earlier is None else earlier.constant_keys
        gone = tuple(name for name in found.constant_keys if name not in from_the_start)
        if gone and len(found.constant_keys) == len(found.keys):
            yield Caution("all_keys_constant", _all_keys(scenario), found.keys)
        elif new := tuple(name for name in gone if name not in told):
            yield Caution("constant_keys", _some_keys(new), new)
        told.update(gone)


def _all_keys(scenario: str | None) -> Message:
    if scenario is None:
        return Message(
            "caution.all_keys",
            "Every key has one and the same value in all records: nobody is distinguished, and "
            "nothing of the keys is left to analyse.",
        )
    return Message(
        "caution.all_keys_of_scenario",
        "Every key of scenario {scenario} has one and the same value in all records.",
        scenario=quote([scenario]),
    )


def _some_keys(names: Collection[str]) -> Message:
    return Message(
        "caution.constant_keys",
        "Key {columns} has one and the same value in all records: nothing of it is left to "
        "analyse.",
        many="Keys {columns} have each one and the same value in all records: nothing of them is "
        "left to analyse.",
        n=len(names),
        columns=quote(names),
    )


def _is_required(recipe: Recipe, column: str) -> bool:
    """Whether a requirement is about a sensitive column."""
    if any(column in model.reads(recipe.roles) for model in recipe.models):
        return True
    return any(_limits(limit, column) for limit in recipe.limits)


def _limits(limit: MeasureRequirement, column: str) -> bool:
    """Whether a limit bounds what can be inferred about a column."""
    measure = limit.spec
    if not isinstance(measure, RiskMeasure) or measure.question != INFERRED:
        return False
    named = [getattr(measure, name, None) for name in NAMING]
    said = [name for one in named if one for name in ([one] if isinstance(one, str) else one)]
    return not said or column in said
