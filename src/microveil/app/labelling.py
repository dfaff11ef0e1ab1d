"""Labelling: what the labels of a file mean for a recipe and for its release."""

from __future__ import annotations

from microveil.files import Labels
from microveil.files.statistical.named_codes import codes_named
from microveil.methods import Method
from microveil.methods.set_missing import SetMissing
from microveil.recipes import Recipe


def resolve_labels(recipe: Recipe, labels: Labels) -> Recipe:
    """The recipe with codes in place of labels: ``set_missing`` may name "Don't know"."""
    steps = tuple(one for step in recipe.steps for one in _steps_of(step, labels))
    return recipe if steps == recipe.steps else recipe.model_copy(update={"steps": steps})


def _steps_of(step: Method, labels: Labels) -> list[Method]:
    """One step for each column whose codes were named by label, since codes differ by column."""
    if not isinstance(step, SetMissing):
        return [step]
    named = {name: codes_named(labels, name, step.values) for name in step.columns}
    if not any(named.values()):
        return [step]
    rest = tuple(name for name in step.columns if not named[name])
    own: list[Method] = [
        step.model_copy(update={"columns": (name,), "values": (*step.values, *codes)})
        for name, codes in named.items()
        if codes
    ]
    return [*([step.model_copy(update={"columns": rest})] if rest else []), *own]
