from __future__ import annotations

from importlib.resources import files

import pytest
from babel.messages.pofile import read_po as read_as_babel

from microveil.texts.catalogue import LANGUAGES
from microveil.texts.po_files import read_po


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_are_read_as_translators_tools_read_them(language: str) -> None:
    for file in (files("microveil.texts") / "catalogues" / language).iterdir():
        if not file.name.endswith(".po"):
            continue
        with file.open("rb") as stream:
            entries = read_as_babel(stream, locale=language)
        expected = {}
        for one in entries:
            if one.id and one.string:
                key = one.id if isinstance(one.id, str) else one.id[0]
                expected[key] = (one.string,) if isinstance(one.string, str) else one.string
        assert read_po(file.read_text(encoding="utf-8")).sentences == expected, file.name


def test_what_is_fuzzy_obsolete_or_empty_is_left_out() -> None:
    fuzzy, obsolete = '#, fuzzy\nmsgid "a"\nmsgstr "x"', '#~ msgid "b"\n#~ msgstr "y"'
    rest = 'msgid "c"\nmsgstr ""\n\nmsgid "d"\nmsgstr "z"\n'
    assert read_po(f"{fuzzy}\n\n{obsolete}\n\n{rest}").sentences == {"d": ("z",)}


def test_a_text_may_go_on_for_several_lines_and_escape_marks() -> None:
    text = 'msgid "long "\n"key"\nmsgstr "says \\"this\\"\\n"\n"and that"\n'
    assert read_po(text).sentences == {"long key": ('says "this"\nand that',)}
