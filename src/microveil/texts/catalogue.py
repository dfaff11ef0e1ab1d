"""Catalogues: what each language says for a key, in files that translators know (gettext's PO).

English sentences of the library stand in the code, beside their key (:class:`Message`); those of
pages, which are nothing but text, in ``catalogues/en``. Keys are the ``msgid``, so rewording the
English leaves the translations in place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from importlib.resources import files
from typing import Any

from microveil.texts.gaps import Gaps
from microveil.texts.message import Message
from microveil.texts.po_files import read_po

LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "es": "Español",
    "ca": "Català",
    "et": "Eesti",
    "ru": "Русский",
}
"""Every language that has a catalogue, by its own name: the guide speaks them all."""
COMPLETE: Mapping[str, str] = {code: LANGUAGES[code] for code in ("en", "es")}
"""Languages in which everything is said: the app's pages, reports, messages."""


@dataclass(frozen=True)
class Catalogue:
    """The sentences of one language."""

    sentences: Mapping[str, tuple[str, ...]]
    """By key: one form, or one for each plural of the language."""
    plural: Callable[[int], int]
    """Which form says a number."""

    def form(self, key: str, n: Any = None) -> str | None:
        """The sentence of a key, in the form that says ``n``; None where there is none."""
        found = self.sentences.get(key)
        if found is None:
            return None
        if len(found) == 1:
            return found[0]
        return found[self.plural(int(str(n).replace(",", "")))]


@cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of a language: all files of its folder."""
    sentences: dict[str, tuple[str, ...]] = {}
    plural: Callable[[int], int] = lambda n: int(n != 1)  # noqa: E731  until a file says better
    folder = files("microveil.texts") / "catalogues" / language
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if not file.name.endswith(".po"):
            continue
        found = read_po(file.read_text(encoding="utf-8"))
        if found.plural is not None:
            plural = c2py(found.plural)
        sentences |= found.sentences
    return Catalogue(sentences, plural)


def translate(told: str, language: str) -> str:
    """A message in a language; what is no message, or not in the catalogue, stays in English.

    >>> translate("as it is", "es")
    'as it is'
    """
    if not isinstance(told, Message):
        return str(told)
    if language == "en":
        return str(told)
    form = catalogue(language).form(told.key, told.values.get("n")) if told.key else None
    if form is None:
        form = told.english if told.many is None or told.values["n"] == 1 else told.many
    return Gaps(language, translate).vformat(form, (), told.values)


def text(language: str, key: str, **values: Any) -> str:
    """The sentence of a key; in English where the language lacks it, the key where nobody has it.

    >>> text("en", "state.keys", n=4), text("en", "state.keys", n=1)
    ('4 keys', '1 key')
    """
    n = values.get("n")
    form = catalogue(language).form(key, n) or catalogue("en").form(key, n)
    return key if form is None else Gaps(language, translate).vformat(form, (), values)
