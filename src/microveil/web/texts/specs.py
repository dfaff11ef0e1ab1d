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
from microveil.web.texts.en import names
from microveil.web.texts.es import choices, measures, methods, models, parameters


@dataclass(frozen=True)
class SpecTexts:
    """The texts of one language."""

    told: Mapping[str, str] = field(default_factory=dict)
    """Summaries by kind, help by ``kind.parameter``, or ``*.parameter`` for all kinds."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Parameters by their name in a recipe."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """Words to choose from, by what a recipe has."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """Models and measures by their name in a recipe."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """What steps say about themselves."""


SPEC_TEXTS: Mapping[str, SpecTexts] = {
    "en": SpecTexts(kinds=names.NAMES),
    "es": SpecTexts(
        methods.METHODS | models.MODELS | measures.MEASURES,
        parameters.PARAMETERS,
        choices.CHOICES,
        choices.NAMES,
        choices.FACTS,
    ),
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


def choice(language: str, word: str) -> str:
    """A word to choose.

    >>> choice("en", "best_first"), choice("es", "best_first")
    ('best first', 'primero el mejor')
    """
    return SPEC_TEXTS.get(language, NOTHING).choices.get(word, word.replace("_", " "))


def name_of(language: str, kind: str) -> str:
    """The name of a model or measure; what tells it from others of its kind stands behind it.

    >>> name_of("en", "k_anonymity"), name_of("es", "il1s_2")
    ('k-anonymity', 'IL1s 2')
    """
    known = SPEC_TEXTS.get(language, NOTHING).kinds
    for start in (kind, kind.split(":", maxsplit=1)[0], kind.rpartition("_")[0]):
        if start in known:
            return known[start] + kind.removeprefix(start).replace("_", " ")
    return kind.replace("_", " ")


def fact(language: str, name: str) -> str:
    """The name of a fact that a step reports.

    >>> fact("en", "n_labels_after"), fact("es", "n_labels_after")
    ('labels after', 'etiquetas después')
    """
    short = name.removeprefix("n_")
    return SPEC_TEXTS.get(language, NOTHING).facts.get(short, short.replace("_", " "))


def help_text(language: str, kind: str, name: str, english: str) -> str:
    """What a parameter of a kind means."""
    told = SPEC_TEXTS.get(language, NOTHING).told
    return told.get(f"{kind}.{name}", told.get(f"*.{name}", english))


def all_specs() -> Iterator[type[Spec]]:
    """Every method, model and measure that a page can show."""
    for registry in (METHODS, MODELS, RISK_MEASURES, UTILITY_MEASURES):
        yield from registry
