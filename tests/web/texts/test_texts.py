"""Every sentence exists in every language, and every sentence that is asked for exists."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

import microveil.web
from microveil.methods import METHODS
from microveil.web.parts.families import families
from microveil.web.project.hierarchy_draft import DATE_LEVELS, KINDS
from microveil.web.texts import LANGUAGES, TEXTS, text

ROOT = Path(microveil.web.__file__).parent


def _names(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_languages_have_the_same_sentences_with_the_same_gaps(language: str) -> None:
    english, other = TEXTS["en"], TEXTS[language]
    assert set(other) == set(english)
    for key, sentence in english.items():
        assert _names(other[key]) == _names(sentence), key


def test_every_sentence_that_a_page_asks_for_exists() -> None:
    asked: set[str] = set()
    for path in ROOT.rglob("*.py"):
        asked |= set(re.findall(r'page\.text\(\s*"([a-z_. ]+)"', path.read_text(encoding="utf-8")))
    assert len(asked) > 100
    assert sorted(asked - set(TEXTS["en"])) == []


def test_every_family_its_methods_and_every_hierarchy_have_a_name() -> None:
    wanted = [f"family.{name}" for name in families()]
    wanted += [
        f"method.{kind}" for name, kinds in families().items() if name != "others" for kind in kinds
    ]
    wanted += [f"hierarchy.{kind}" for kind in KINDS]
    wanted += [f"date.{level}" for level in DATE_LEVELS[1:]]
    assert [key for key in wanted if key not in TEXTS["en"]] == []


def test_every_method_of_the_registry_is_in_one_family() -> None:
    placed = [kind for kinds in families().values() for kind in kinds]
    assert sorted(placed) == sorted(kind.kind() for kind in METHODS)


def test_an_unknown_sentence_is_its_key() -> None:
    assert text("es", "no such key") == "no such key"


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_thing_is_told_in_the_singular(language: str) -> None:
    singular = [key for key in TEXTS[language] if key.endswith("_one")]
    assert len(singular) > 5
    for key in singular:
        assert key.removesuffix("_one") in TEXTS[language]
    assert text(language, "state.steps", n=1) == TEXTS[language]["state.steps_one"]
    assert text(language, "state.steps", n="1") == TEXTS[language]["state.steps_one"]
    assert text(language, "state.steps", n=11).startswith("11 ")
