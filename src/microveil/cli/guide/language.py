"""Which language the guide speaks: the one asked for, else the terminal's, else English."""

from __future__ import annotations

import os
from collections.abc import Mapping

from microveil.cli.guide.texts import LANGUAGES, NO, TEXTS, YES
from microveil.errors import InputError, listing


def chosen_language(asked: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The language to speak.

    >>> chosen_language(None, {"LANG": "ca_ES.UTF-8"}), chosen_language(None, {"LANG": "C"})
    ('ca', 'en')
    """
    if asked is not None:
        code = asked.lower().replace("-", "_").partition("_")[0]
        if code not in LANGUAGES:
            raise InputError(f"The guide does not speak '{asked}'. It speaks {listing(LANGUAGES)}.")
        return code
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        wanted = environment.get(name, "")
        if wanted:
            first = wanted.split(":")[0].replace("-", "_").partition("_")[0].partition(".")[0]
            return first.lower() if first.lower() in LANGUAGES else "en"
    return "en"


class Speaker:
    """Says sentences in one language."""

    def __init__(self, language: str = "en") -> None:
        """Remember the language."""
        self.language = language

    def __call__(self, sentence: str, /, **parts: object) -> str:
        """A sentence by its name, with its gaps filled."""
        texts = TEXTS[sentence]
        return texts[LANGUAGES.index(self.language)].format(**parts)

    @property
    def yes(self) -> str:
        """The letter that means yes."""
        return YES[self.language]

    @property
    def no(self) -> str:
        """The letter that means no."""
        return NO[self.language]
