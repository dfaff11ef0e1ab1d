"""Facts: what a step reports about itself, in a line."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from microveil.texts.naming import fact
from microveil.texts.numbers import number


def facts_in_words(
    facts: Mapping[str, Any], said: Collection[str] = (), language: str = "en"
) -> str:
    """Facts of a step in a line, without zeros and without what is ``said`` already.

    >>> facts_in_words({"k": 5, "n_blank": {"age": 12, "sex": 0}, "share": 0.25}, ["k"])
    'blank: age 12 · share: 25%'
    """
    words = []
    for name, value in facts.items():
        told = _describe_value(value, language, "%" if name.endswith("share") else ",.4g")
        if told and name not in said:
            words.append(f"{fact(language, name)}: {told}")
    return " · ".join(words)


def _describe_value(value: Any, language: str, form: str) -> str:
    """A fact's value; ``form`` is how a fraction is written."""
    if isinstance(value, Mapping):
        found = {key: _describe_value(one, language, form) for key, one in value.items()}
        return ", ".join(f"{key} {told}" for key, told in found.items() if told)
    if isinstance(value, bool):
        return fact(language, "yes") if value else ""
    if isinstance(value, int | float):
        shown = number(language, value, form if isinstance(value, float) else ",")
        return shown if value else ""
    return str(value)
