"""Which language the guide speaks: the one asked for, else the terminal's, else English."""

from __future__ import annotations

import os
from collections.abc import Mapping

from microveil.errors import InputError, MicroveilError
from microveil.texts import LANGUAGES, number, text, translate


def chosen_language(asked: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The language to speak.

    >>> chosen_language(None, {"LANG": "ca_ES.UTF-8"}), chosen_language(None, {"LANG": "C"})
    ('ca', 'en')
    """
    if asked is not None:
        code = asked.lower().replace("-", "_").partition("_")[0]
        if code not in LANGUAGES:
            raise InputError(
                "The guide does not speak '{asked}'. It speaks {languages}.",
                asked=asked,
                languages=LANGUAGES,
            )
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
        """A sentence of the guide by its name, with its gaps filled."""
        return text(self.language, f"guide.{sentence}", **parts)

    def tell(self, told: str | MicroveilError) -> str:
        """A sentence of the library, or what an error says."""
        told = told.message if isinstance(told, MicroveilError) else told
        return translate(told, self.language)

    def number(self, value: float, form: str = ",") -> str:
        """A number as the language writes it; ``%`` writes a share."""
        return number(self.language, value, form)

    @property
    def yes(self) -> str:
        """The letter that means yes."""
        return self("letter_yes")

    @property
    def no(self) -> str:
        """The letter that means no."""
        return self("letter_no")
