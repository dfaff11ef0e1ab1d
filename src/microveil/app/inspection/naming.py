"""Column names: word patterns in several languages."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache

_CAMEL = re.compile(r"(?<=[^\W\d_A-ZА-Я])(?=[A-ZА-Я])|(?<=[A-Z])(?=[A-Z][a-z])")
_DIGITS = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_APART = re.compile(r"[\W_]+")
_TWO_LETTERS = re.compile(r"([aou])e")
ID_MARKS = (
    "id|nr|no|num|number|code|key|uid|uuid|guid|ref|nummer|numero|identifier|identificador|"
    "identifiant|identificativo|identifikator|kennung|codigo|codi|номер|код|ид|kood"
)
"""Words that make an id of the noun beside them."""
LINKS = "de|del|du|of|der|des|di|do|da|la|el"
"""Words between a mark and its noun: número de hogar, numéro du ménage."""


@lru_cache(maxsize=4096)
def words_of(name: str) -> str:
    """A column's name as lower-case words without accents, each between underscores.

    >>> words_of("DateOfBirth"), words_of("Straße 2"), words_of("marital-status")
    ('_date_of_birth_', '_strasse_2_', '_marital_status_')
    """
    name = _DIGITS.sub("_", _CAMEL.sub("_", unicodedata.normalize("NFC", name)))
    return f"_{_APART.sub('_', _plain(name)).strip('_')}_"


def _spellings(name: str) -> tuple[str, ...]:
    """The words of a name, also with umlauts that were written as two letters."""
    words = words_of(name)
    folded = _TWO_LETTERS.sub(r"\1", words)
    return (words,) if folded == words else (words, folded)


def _plain(text: str) -> str:
    """Case folded, accents off."""
    apart = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in apart if not unicodedata.combining(letter)).casefold()


@dataclass(frozen=True)
class Words:
    """Column names that suggest one thing, and words that contradict it.

    ``sex`` is a word of the name, ``diagnos*`` a word's beginning, ``*wgt`` its end,
    ``date_of_birth`` consecutive words (written apart or together), ``first|last_name``
    alternatives at one position, ``=name`` the whole name.

    >>> Words("sex =name diagnos*", unless="partner").match("Sex")
    True
    >>> Words("sex", unless="partner").match("sex_of_partner")
    False
    """

    words: str = ""
    unless: str = ""
    _for: re.Pattern[str] | None = field(init=False, repr=False, compare=False)
    _against: re.Pattern[str] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compile both lists once."""
        object.__setattr__(self, "_for", _compile_words(self.words))
        object.__setattr__(self, "_against", _compile_words(self.unless))

    def match(self, *names: str) -> bool:
        """Whether a column's name (or its label) matches, and none of these contradicts."""
        if self._for is None:
            return False
        found = [words for name in names if name for words in _spellings(name)]
        if not any(self._for.search(words) for words in found):
            return False
        return self._against is None or not any(self._against.search(words) for words in found)


def _compile_words(words: str) -> re.Pattern[str] | None:
    """One pattern over names in the form of :func:`words_of`."""
    parts = [_pattern(_plain(word)) for word in words.split()]
    return re.compile("|".join(parts)) if parts else None


def _pattern(word: str) -> str:
    start, end = ("^_", "_$") if word.startswith("=") else ("_", "_")
    word = word.removeprefix("=")
    if word.startswith("*"):
        start += "[^_]*"
    if word.endswith("*"):
        end = "[^_]*" + end
    core = "_?".join(_either(part) for part in word.strip("*").split("_"))
    return start + core + end


def _either(part: str) -> str:
    return "(?:" + "|".join(re.escape(word) for word in part.split("|")) + ")"
