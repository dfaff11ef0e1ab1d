"""Letters: Cyrillic, Greek and accented letters in those that the fonts of every reader have."""

from __future__ import annotations

import unicodedata

_ALPHABETS = {
    "абвгдежзийклмнопрстуфхцчшщыэюяёіїєґ": (
        "a b v g d e zh z i j k l m n o p r s t u f kh ts ch sh shch y e yu ya e i i ie g"
    ),
    "αβγδεζηθικλμνξοπρσςτυφχψω": "a v g d e z i th i k l m n x o p r s s t y f ch ps o",
}
_LETTERS = {"ъ": "", "ь": ""} | {
    letter: told
    for letters, written in _ALPHABETS.items()
    for letter, told in zip(letters, written.split(), strict=True)
}


def in_western_letters(text: str) -> str:
    """The text with letters of other alphabets written in Latin ones; unknown signs become ``?``.

    >>> in_western_letters("Регион, Ελλάδα, Łódź, õun")
    'Region, Ellada, Lódz, õun'
    """
    return "".join(map(_letter, text))


def _letter(letter: str) -> str:
    if _is_western(letter):
        return letter
    lower = letter.lower()
    if lower in _LETTERS:
        found = _LETTERS[lower]
        return found if letter == lower else found.capitalize()
    bare = unicodedata.normalize("NFD", letter)[0]
    if bare == letter:
        return {"ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i"}.get(letter, "?")
    return _letter(bare)


def _is_western(letter: str) -> bool:
    try:
        letter.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True
