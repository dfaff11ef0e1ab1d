"""The gaps of a sentence, filled as a language writes what stands in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from string import Formatter
from typing import Any

from microveil.texts.numbers import number

QUOTES: Mapping[str, tuple[str, str]] = {
    "en": ("'", "'"),
    "es": ("«", "»"),
    "ca": ("«", "»"),
    "et": ("„", "”"),
    "ru": ("«", "»"),
}
"""What stands around names."""
QUOTED = "quoted"
"""The form of a gap whose names stand in quotation marks: ``{names:quoted}``."""
OPEN = "open"
"""The form of a gap that holds a sentence without the point at its end: ``{reason:open}``."""
SMALL = "small"
"""The form of a gap that begins within a sentence, with a small letter: ``{found:small}``."""
MOST_NAMES = 12
"""Names of a list that are written out; the others are counted."""


class Gaps(Formatter):
    r"""Fills the gaps of a sentence in one language.

    A gap holds text, another message, a number (with Python's forms; ``%`` writes a share), or a
    list of these; ``quoted`` puts names into quotation marks.

    >>> Gaps("es").format("{n:,} de {names:quoted}: {share:%}", n=12, names=["a"], share=0.5)
    '12 de «a»: 50\xa0%'
    """

    def __init__(self, language: str, say: Callable[[str, str], str] | None = None) -> None:
        self.language = language
        self.say = say or (lambda text, _: text)
        """How a text in a gap is said in the language."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """A gap's value as the language writes it."""
        if isinstance(value, str):
            return self._say_value(value, format_spec)
        if isinstance(value, Iterable):
            return self._say_list([self.format_field(one, format_spec) for one in value])
        if format_spec == QUOTED:
            return self._say_value(str(value), format_spec)
        if format_spec and isinstance(value, int | float) and not isinstance(value, bool):
            return number(self.language, value, format_spec)
        return str(value)

    def _say_value(self, value: str, form: str) -> str:
        told = self.say(value, self.language)
        if form == QUOTED:
            before, after = QUOTES.get(self.language, QUOTES["en"])
            one_line = " ".join(told.splitlines()) or told
            return f"{before}{one_line}{after}"
        if form == SMALL:
            return told[:1].lower() + told[1:]
        return told.removesuffix(".") if form == OPEN else format(told, form)

    def _say_list(self, told: list[str]) -> str:
        from microveil.texts.message import Message

        shown, n_more = ", ".join(told[:MOST_NAMES]), len(told) - MOST_NAMES
        if n_more <= 0:
            return shown
        more = Message("list.more", "{names} and {n} more", names=shown, n=n_more)
        return self.say(more, self.language)


def gaps_of(sentence: str) -> frozenset[str]:
    """The names of a sentence's gaps.

    >>> sorted(gaps_of("{n:,} of {m}"))
    ['m', 'n']
    """
    return frozenset(name for _, name, _, _ in Formatter().parse(sentence) if name)
