"""Cautions: what class sizes and requirements do not prove once values were perturbed."""

from __future__ import annotations

from microveil.measures.evidence import perturbed_columns
from microveil.recipes import Recipe
from microveil.tables import Table
from microveil.texts import Message


def cautions_of(recipe: Recipe, original: Table) -> tuple[str, ...]:
    """What a reader must know before relying on class sizes."""
    roles = recipe.roles
    keys = {key for names in roles.key_sets().values() for key in names}
    counted = {name for model in recipe.models for name in model.reads(roles)} - keys
    changed = perturbed_columns(recipe, original)

    found = []
    if on_keys := _only(changed, keys):
        found.append(_keys_changed(_steps(recipe, on_keys)))
    if on_values := _only(changed, counted):
        found.append(_values_changed(tuple(on_values), _steps(recipe, on_values)))
    if others := {name: by for name, by in changed.items() if name not in keys | counted}:
        found.append(_others_changed(_steps(recipe, others)))
    if not any(roles.key_sets().values()):
        found.append(
            Message(
                "report.no_quasi_identifiers_named_2",
                "No quasi-identifiers are named, so disclosure risk was not assessed.",
            )
        )
    return tuple(found)


def _steps(recipe: Recipe, changed: dict[str, tuple[int, ...]]) -> list[Message]:
    """The steps that changed columns, in words."""
    return [
        Message(
            "report.step_named",
            "step {place} ({kind})",
            place=place + 1,
            kind=recipe.steps[place].kind(),
        )
        for place in sorted({place for one in changed.values() for place in one})
    ]


def _keys_changed(steps: list[Message]) -> Message:
    return Message(
        "report.keys_changed",
        "Values of quasi-identifiers were changed by {steps}. Class sizes, and requirements that "
        "count them, are not valid evidence of risk after such a step: use record linkage and "
        "interval disclosure instead.",
        steps=steps,
    )


def _values_changed(names: tuple[str, ...], steps: list[Message]) -> Message:
    return Message(
        "report.values_changed",
        "Values of {names:quoted} were changed by {steps}. Class sizes stay valid, but "
        "requirements on these values were counted on changed values: use the inference attack to "
        "judge what can be inferred.",
        names=names,
        steps=steps,
    )


def _others_changed(steps: list[Message]) -> Message:
    return Message(
        "report.others_changed",
        "Values of columns that are not quasi-identifiers were changed by {steps}. Class sizes "
        "say nothing about an intruder who knows these columns: use record linkage and interval "
        "disclosure for that.",
        steps=steps,
    )


def _only(changed: dict[str, tuple[int, ...]], columns: set[str]) -> dict[str, tuple[int, ...]]:
    return {name: steps for name, steps in changed.items() if name in columns}
