from __future__ import annotations

import pytest

import microveil as mv
from microveil.cli.guide.language import chosen_language


def test_the_language_is_the_one_asked_for_else_the_terminal_s() -> None:
    assert chosen_language("et", {"LANG": "ru_RU.UTF-8"}) == "et"
    assert chosen_language(None, {"LC_ALL": "es_ES.UTF-8", "LANG": "ru_RU"}) == "es"
    assert chosen_language(None, {"LANG": "de_DE.UTF-8"}) == "en"
    assert chosen_language(None, {}) == "en"
    with pytest.raises(mv.InputError, match="does not speak 'xx'"):
        chosen_language("xx")
