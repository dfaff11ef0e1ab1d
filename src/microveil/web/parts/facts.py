"""Facts: what a step reports about itself, in a line."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from microveil.web.texts.numbers import number
from microveil.web.texts.specs import fact


def facts_in_words(
    facts: Mapping[str, Any], said: Collection[str] = (), language: str = "en"
) -> str:
    """Facts of a step in a line, without zeros and without what is ``said`` already.

    >>> facts_in_words({"k": 5, "n_blank": {"age": 12, "sex": 0}, "share": 0.25}, ["k"])
    'blank: age 12 · share: 0.25'
    """
    words = []
    for name, value in facts.items():
        told = _told(value, language)
        if told and name not in said:
            words.append(f"{fact(language, name)}: {told}")
    return " · ".join(words)


def _told(value: Any, language: str) -> str:
    if isinstance(value, Mapping):
        parts = [f"{key} {told}" for key, one in value.items() if (told := _told(one, language))]
        return ", ".join(parts)
    if isinstance(value, bool):
        return fact(language, "yes") if value else ""
    if isinstance(value, int | float):
        shown = number(language, value, ",.4g" if isinstance(value, float) else ",")
        return shown if value else ""
    return str(value)
