"""Texts: every sentence of the app, one file per language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microveil.web.texts.en import ENGLISH
from microveil.web.texts.es import SPANISH
from microveil.web.texts.numbers import Numbers

LANGUAGES: Mapping[str, str] = {"en": "English", "es": "Español"}
TEXTS: Mapping[str, Mapping[str, str]] = {"en": ENGLISH, "es": SPANISH}


def text(language: str, key: str, **values: Any) -> str:
    """A sentence by its key; the key itself where there is none, a method's name in words.

    Of one thing it speaks in the singular, where there is a sentence ``key_one``.

    >>> text("en", "state.keys", n=4), text("en", "state.keys", n=1)
    ('4 keys', '1 key')
    >>> text("en", "method.of_tomorrow")
    'Of tomorrow'
    """
    known = TEXTS[language]
    singular = known.get(f"{key}_one") if str(values.get("n")) == "1" else None
    found = singular or known.get(key, ENGLISH.get(key))
    if found is not None:
        return Numbers(language).format(found, **values)
    return key.removeprefix("method.").replace("_", " ").capitalize() if _is_method(key) else key


def _is_method(key: str) -> bool:
    """Whether a key names a method; one that is newer than the sentences has a name, too."""
    return key.startswith("method.") and key != "method."
