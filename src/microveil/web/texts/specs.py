"""What methods, models, measures and their parameters are called and mean, in every language.

English is what the specs say themselves; a language has a table of its own, and what it lacks
appears in English.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from microveil.methods import METHODS
from microveil.privacy import MODELS
from microveil.risk import RISK_MEASURES
from microveil.specs import Spec
from microveil.utility import UTILITY_MEASURES
from microveil.web.texts.es import measures, methods, models, parameters


@dataclass(frozen=True)
class SpecTexts:
    """The texts of one language."""

    told: Mapping[str, str] = field(default_factory=dict)
    """Summaries by kind, help by ``kind.parameter``, or ``*.parameter`` for all kinds."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Parameters by their name in a recipe."""


SPEC_TEXTS: Mapping[str, SpecTexts] = {
    "es": SpecTexts(methods.METHODS | models.MODELS | measures.MEASURES, parameters.PARAMETERS)
}
NOTHING = SpecTexts()


def summary(language: str, spec: type[Spec]) -> str:
    """What a method, model or measure does, in a sentence."""
    told = SPEC_TEXTS.get(language, NOTHING).told
    return told.get(spec.kind(), spec.summary())


def label(language: str, name: str) -> str:
    """A parameter's name in words.

    >>> label("en", "range_share"), label("es", "range_share")
    ('range share', 'alcance')
    """
    return SPEC_TEXTS.get(language, NOTHING).names.get(name, name.replace("_", " "))


def help_text(language: str, kind: str, name: str, english: str) -> str:
    """What a parameter of a kind means."""
    told = SPEC_TEXTS.get(language, NOTHING).told
    return told.get(f"{kind}.{name}", told.get(f"*.{name}", english))


def all_specs() -> Iterator[type[Spec]]:
    """Every method, model and measure that a page can show."""
    for registry in (METHODS, MODELS, RISK_MEASURES, UTILITY_MEASURES):
        yield from registry
