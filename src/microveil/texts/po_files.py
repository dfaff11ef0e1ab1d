"""Reading gettext's PO files: a key, and one sentence or one for each plural.

What translators' tools add (comments, references, flags) is skipped; sentences marked as fuzzy or
obsolete are left out, for nobody has confirmed them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

_PLURAL_FORMS = re.compile(r"plural=([^;\n]+)")


class PoFile(NamedTuple):
    """The sentences of a file."""

    sentences: dict[str, tuple[str, ...]]
    """By key: one form, or one for each plural of the language."""
    plural: str | None
    """Which form says a number, as gettext writes it; None where the file does not say."""


def read_po(text: str) -> PoFile:
    r"""The sentences of a PO file.

    >>> read_po('msgid "{n} key"\nmsgid_plural "{n} keys"\nmsgstr[0] "uno"\nmsgstr[1] "varios"')
    PoFile(sentences={'{n} key': ('uno', 'varios')}, plural=None)
    """
    sentences: dict[str, tuple[str, ...]] = {}
    plural = None
    for parts in _entries(text):
        key = parts.pop("msgid")
        forms = tuple(told for name, told in parts.items() if name.startswith("msgstr"))
        if key:
            sentences |= {key: forms} if any(forms) else {}
        elif found := _PLURAL_FORMS.search("".join(forms)):
            plural = found[1].strip()
    return PoFile(sentences, plural)


def _entries(text: str) -> Iterator[dict[str, str]]:
    """The confirmed entries: texts by their keyword; a text may go on for several lines."""
    parts: dict[str, str] = {}
    name, is_fuzzy, next_is_fuzzy = "", False, False
    for line in (*text.splitlines(), 'msgid ""'):
        word, quote, rest = line.strip().partition('"')
        if word.startswith("#") or not quote:
            next_is_fuzzy |= word.startswith("#,") and "fuzzy" in word
            continue
        name = word.strip() or name
        if name == "msgid" and word:
            if parts and not is_fuzzy:
                yield parts
            parts, is_fuzzy, next_is_fuzzy = {}, next_is_fuzzy, False
        parts[name] = parts.get(name, "") + ast.literal_eval(quote + rest)
