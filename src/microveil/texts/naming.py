"""What methods, models, measures and their parameters are called and mean, in every language.

English is what the specs say themselves; what a language lacks appears in English.
"""

from __future__ import annotations

from typing import Protocol

from microveil.texts.catalogue import catalogue


class Described(Protocol):
    """A method, model or measure, which has a name in files and a sentence about itself."""

    def kind(self) -> str:
        """Its name in files."""

    def summary(self) -> str:
        """What it does, in English."""


def summary(language: str, spec: Described) -> str:
    """What a method, model or measure does, in a sentence."""
    return _look_up(language, f"spec.{spec.kind()}") or spec.summary()


def help_text(language: str, kind: str, name: str, english: str) -> str:
    """What a parameter of a kind means."""
    own = _look_up(language, f"spec.{kind}.{name}")
    return own or _look_up(language, f"spec.*.{name}") or english


def label(language: str, name: str) -> str:
    """A parameter's name in words.

    >>> label("en", "range_share"), label("es", "range_share")
    ('range share', 'alcance')
    """
    return _look_up(language, f"parameter.{name}") or name.replace("_", " ")


def choice(language: str, word: str) -> str:
    """A word to choose.

    >>> choice("en", "best_first"), choice("es", "best_first")
    ('best first', 'primero el mejor')
    """
    return _look_up(language, f"choice.{word}") or word.replace("_", " ")


def name_of(language: str, kind: str) -> str:
    """The name of a model or measure; what tells it from others of its kind stands behind it.

    >>> name_of("en", "k_anonymity"), name_of("es", "il1s_2")
    ('k-anonymity', 'IL1s 2')
    """
    for start in (kind, kind.split(":", maxsplit=1)[0], kind.rpartition("_")[0]):
        found = _look_up(language, f"name.{start}")
        if found:
            return found + kind.removeprefix(start).replace("_", " ")
    return kind.replace("_", " ")


def method_name(language: str, kind: str) -> str:
    """The name of a method; one that is newer than its sentences has a name, too.

    >>> method_name("es", "drop"), method_name("en", "of_tomorrow")
    ('Dejar columnas fuera', 'Of tomorrow')
    """
    found = _look_up(language, f"method.{kind}") or catalogue("en").form(f"method.{kind}")
    return found or kind.replace("_", " ").capitalize()


def fact(language: str, name: str) -> str:
    """The name of a fact that a step reports.

    >>> fact("en", "n_labels_after"), fact("es", "n_labels_after")
    ('labels after', 'etiquetas después')
    """
    short = name.removeprefix("n_")
    return _look_up(language, f"fact.{short}") or short.replace("_", " ")


def _look_up(language: str, key: str) -> str | None:
    return catalogue(language).form(key)
