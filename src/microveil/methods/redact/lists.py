"""Lists of words and phrases to redact, from text files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from microveil.errors import FileError
from microveil.hierarchies.text_files import find
from microveil.methods.redact.spans import Span, Word, words_of


class Phrases:
    """Phrases by their first word."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._by_first: dict[str, list[tuple[str, ...]]] = {}
        for line in lines:
            words = tuple(word.folded for word in words_of(line))
            if words:
                self._by_first.setdefault(words[0], []).append(words)

    @classmethod
    def read(cls, paths: Sequence[Path]) -> Phrases:
        """Read UTF-8 files with one entry in each line, beside the recipe if not absolute."""
        lines: list[str] = []
        for path in paths:
            try:
                lines += find(path).read_text(encoding="utf-8-sig").splitlines()
            except (OSError, UnicodeDecodeError):
                raise FileError(
                    "Cannot read the list '{path}' as UTF-8 text. Name a file with one entry in "
                    "each line, beside the recipe or in the working directory.",
                    path=str(path),
                ) from None
        return cls(lines)

    def spans(self, words: Sequence[Word]) -> Iterator[Span]:
        """Where a text has them, whatever the case and the punctuation between words."""
        for i, word in enumerate(words):
            for phrase in self._by_first.get(word.folded, ()):
                said = words[i : i + len(phrase)]
                if tuple(one.folded for one in said) == phrase:
                    yield Span(word.start, said[-1].end, "listed")
