"""Own: a record's identifiers as they may be written in its text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, permutations

from microveil.files.columns.checksums import bare
from microveil.methods.redact.spans import Span, Word, fold, words_of

PARTICLES = frozenset({
    "a", "al", "ap", "af", "av", "da", "das", "de", "degli", "dei", "del", "della", "den", "der",
    "des", "di", "do", "dos", "du", "e", "el", "i", "la", "las", "le", "les", "lo", "los", "van",
    "von", "y", "z", "zu", "zum", "zur", "mr", "mrs", "ms", "dr", "prof", "sr", "sra", "herr",
    "frau", "mme", "the", "of", "and", "und", "et",
})  # fmt: skip
"""Words of names that are words of the language, too."""
STREETS = {
    "st": "street", "str": "strasse", "straße": "strasse", "rd": "road", "ave": "avenue",
    "av": "avenue", "blvd": "boulevard", "ln": "lane", "dr": "drive", "pl": "plaza", "c": "calle",
    "sq": "square", "ct": "court", "apt": "apartment", "no": "number", "nr": "number",
}  # fmt: skip
"""Short forms in addresses, by their long ones."""
_SHORTEST_ID = 4
_SHORTEST_NAME = 2
_LONG_NAME = 4
"""Letters from which a name is told when an ``s`` or digits are added to it."""
_RUN = 2
"""Words of an address that must follow one another to be taken for it."""


@dataclass
class Own:
    """What identifies one person, or the members of one household."""

    names: set[str] = field(default_factory=set)
    joined: set[str] = field(default_factory=set)
    """Two names written as one word."""
    ids: set[str] = field(default_factory=set)
    addresses: list[list[str]] = field(default_factory=list)

    def add(self, text: str) -> None:
        """Take an identifier for what it looks like: a name, a number, or an address."""
        found = words_of(text)
        words = [word.folded for word in found]
        digits = sum(sign.isdigit() for sign in text)
        if digits and len(words) > 1 and any(word.isalpha() and len(word) > 2 for word in words):  # noqa: PLR2004  a word
            self.addresses.append([_as_in_addresses(word) for word in words])
        if digits or "@" in text:
            if len(bare(text)) >= _SHORTEST_ID:
                self.ids.add(fold(bare(text)))
        else:
            for word in found:
                if len(word.folded) >= _SHORTEST_NAME and word.folded not in PARTICLES:
                    self.names |= {word.folded, word.spelt_out}
            self.joined |= {one + other for one, other in permutations(self.names, 2)}

    def spans(self, text: str, words: Sequence[Word]) -> Iterator[Span]:
        """Where a text has them."""
        yield from self._names_in(text, words)
        yield from self._ids_in(words)
        for address in self.addresses:
            yield from _runs_in(words, address)

    def _names_in(self, text: str, words: Sequence[Word]) -> Iterator[Span]:
        """Names in any order and case, with initials and particles beside them."""
        initials = {name[0] for name in self.names}
        for i, word in enumerate(words):
            if not (self._is_name(word.folded) or self._is_name(word.spelt_out)):
                continue
            yield Span(word.start, word.end, "name")
            for j in (i - 1, i + 1):
                beside = words[j] if 0 <= j < len(words) else None
                if (
                    beside
                    and len(beside.folded) == 1
                    and beside.folded in initials
                    and beside.capital
                ):
                    end = beside.end + (text[beside.end : beside.end + 1] == ".")
                    yield Span(beside.start, end, "name")

    def _is_name(self, word: str) -> bool:
        """Whether it is a name, alone, with a genitive ``s``, or as the name of an account."""
        if word in self.names:
            return True
        stem = word.rstrip("0123456789")
        if stem == word:
            stem = word.removesuffix("s")
        return word in self.joined or (
            len(stem) >= _LONG_NAME and (stem in self.names or stem in self.joined)
        )

    def _ids_in(self, words: Sequence[Word]) -> Iterator[Span]:
        """Numbers with or without spaces and punctuation."""
        for i, first in enumerate(words):
            joined = ""
            for last in words[i:]:
                joined += last.folded
                if joined in self.ids:
                    yield Span(first.start, last.end, "id")
                if not any(one.startswith(joined) for one in self.ids):
                    break


def _runs_in(words: Sequence[Word], address: Sequence[str]) -> Iterator[Span]:
    """Runs of words that follow one another in an address."""
    said = [_as_in_addresses(word.folded) for word in words]
    after = set(pairwise(address))
    start = 0
    while start < len(said):
        end = start
        while end + 1 < len(said) and (said[end], said[end + 1]) in after:
            end += 1
        if end - start + 1 >= _RUN:
            yield Span(words[start].start, words[end].end, "address")
        start = end + 1


def _as_in_addresses(word: str) -> str:
    """A word with its short form written out, alone or at the end: Hauptstr. and Hauptstraße."""
    return f"{word}asse" if word.endswith("str") else STREETS.get(word, word)


def rare_names(identifiers: Iterable[tuple[int, str]], most: int) -> frozenset[str]:
    """Names that at most so many people have.

    >>> sorted(rare_names([(1, "Eva Ruiz"), (2, "Eva Moll"), (3, "Eva Ruiz")], 2))
    ['moll', 'ruiz']
    """
    holders: dict[str, set[int]] = {}
    for person, text in identifiers:
        if not any(sign.isdigit() for sign in text) and "@" not in text:
            for word in words_of(text):
                if len(word.folded) > _SHORTEST_NAME and word.folded not in PARTICLES:
                    for name in {word.folded, word.spelt_out}:
                        holders.setdefault(name, set()).add(person)
    return frozenset(name for name, who in holders.items() if len(who) <= most)
