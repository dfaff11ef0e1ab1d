"""Texts: every sentence of the app, one file per language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microveil.web.texts.en import ENGLISH
from microveil.web.texts.es import SPANISH

LANGUAGES: Mapping[str, str] = {"en": "English", "es": "Español"}
TEXTS: Mapping[str, Mapping[str, str]] = {"en": ENGLISH, "es": SPANISH}


def text(language: str, key: str, **values: Any) -> str:
    """A sentence by its key; the key itself where there is none.

    >>> text("en", "state.keys", n=4)
    '4 keys'
    """
    found = TEXTS[language].get(key, ENGLISH.get(key))
    return key if found is None else found.format(**values)
