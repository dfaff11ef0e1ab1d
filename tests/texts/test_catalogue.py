"""Every sentence exists in every language that is promised, with the same gaps, and is used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import microveil.web
from microveil.hierarchies.build import HIERARCHIES
from microveil.methods import METHODS
from microveil.privacy import MODELS
from microveil.risk import RISK_MEASURES
from microveil.texts import COMPLETE, LANGUAGES, Message, text, translate
from microveil.texts.catalogue import catalogue
from microveil.texts.gaps import gaps_of
from microveil.utility import UTILITY_MEASURES
from microveil.web.parts.families import families
from microveil.web.parts.spec_fields import fields_of
from microveil.web.project.hierarchy_draft import DATE_LEVELS, KINDS
from tests.texts.sources import (
    ENGLISH_ONLY,
    SOURCE,
    beginnings,
    literals,
    messages,
    untranslatable,
)

FAMILIES = ("spec.", "parameter.", "choice.", "name.", "fact.", "method.", "pydantic.")
"""Keys that follow from the registries; English is what the specs say."""
SPECS = [*METHODS, *MODELS, *RISK_MEASURES, *UTILITY_MEASURES]
GUIDE = ("guide.", "list.", "inspect.", "content.", "dirt.", "dates.", "check.")
"""Keys that every language has, since the guide speaks them all."""
READ = (
    "errors.py", "files/atomic", "files/columns/", "files/delimited_text/", "files/folders",
    "files/formats", "files/json/", "files/sheets/", "files/sources", "files/texts",
    "hierarchies/hierarchy", "release/export_rules",
)  # fmt: skip
"""Where errors come from that a file or a recipe brings up in the guide: Russian says them all."""


@cache
def _said() -> dict[str, tuple[str, ...]]:
    return {one.key: one.english for one in reversed(messages())}


@cache
def _english() -> dict[str, frozenset[str]]:
    """Every key that is said in English, with its gaps."""
    pages = {key: frozenset().union(*map(gaps_of, forms)) for key, forms in _pages().items()}
    return pages | {one.key: frozenset().union(*map(gaps_of, one.english)) for one in messages()}


def _in_every_form(key: str) -> frozenset[str]:
    """Gaps that a sentence has for one and for many; the number itself may be left out."""
    forms = _said().get(key) or catalogue("en").sentences[key]
    return frozenset.intersection(*map(gaps_of, forms)) - {"n"}


def _pages() -> dict[str, tuple[str, ...]]:
    return {
        key: forms
        for key, forms in catalogue("en").sentences.items()
        if not key.startswith(FAMILIES) or key.startswith("method.")
    }


def test_a_key_has_one_sentence() -> None:
    said: dict[str, tuple[str, ...]] = {}
    for one in messages():
        assert said.setdefault(one.key, one.english) == one.english, one.place
        assert one.key not in catalogue("en").sentences, one.place


@pytest.mark.parametrize("language", [name for name in COMPLETE if name != "en"])
def test_a_complete_language_says_everything(language: str) -> None:
    missing = sorted(set(_english()) - set(catalogue(language).sentences))
    assert missing == [], f"add to catalogues/{language}: {', '.join(missing)}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_is_in_every_language(language: str) -> None:
    wanted = {key for key in _english() if key.startswith(GUIDE)}
    known = set(catalogue(language).sentences)
    known |= {one.key for one in messages()} if language == "en" else set()
    assert sorted(wanted - known) == []


def test_russian_says_what_is_wrong_with_a_file() -> None:
    said = {one.key for one in messages() if one.place.startswith(READ)}
    assert len(said) > 100
    assert sorted(said - set(catalogue("ru").sentences)) == []


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_a_translation_has_the_gaps_of_its_sentence(language: str) -> None:
    english = _english()
    for key, forms in catalogue(language).sentences.items():
        for form in forms:
            assert form.strip() or not english.get(key), key
            if key in english:  # a form for one may leave the number out
                needed = english[key] if len(forms) == 1 else _in_every_form(key)
                assert needed <= gaps_of(form) <= english[key], key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_left_over(language: str) -> None:
    known, said = set(_english()), {one.key for one in messages()}
    left = [
        key for key in catalogue(language).sentences
        if not key.startswith(FAMILIES)
        and (key not in known or not (key in said or _is_asked_for(key)))
    ]  # fmt: skip
    assert sorted(left) == []


def test_errors_are_told_by_sentences_with_gaps() -> None:
    put_together = list(untranslatable())
    assert put_together == [], "give the sentence with gaps, and its values: InputError(…, n=n)"


def test_a_room_that_speaks_english_says_why() -> None:
    for room, reason in ENGLISH_ONLY.items():
        assert (SOURCE / room).is_dir()
        assert len(reason) > len(room)


def _is_asked_for(key: str) -> bool:
    if key in literals():
        return True
    splits = (key[: place + 1] for place, sign in enumerate(key) if sign == ".")
    return any(start in beginnings() for start in splits)


def test_every_literal_that_a_page_asks_for_exists() -> None:
    asked: set[str] = set()
    for path in Path(microveil.web.__file__).parent.rglob("*.py"):
        asked |= set(re.findall(r'page\.text\(\s*"([a-z_. ]+)"', path.read_text(encoding="utf-8")))
    assert len(asked) > 100
    assert sorted(asked - set(catalogue("en").sentences)) == []


def _from_registries() -> Iterator[str]:
    for spec in SPECS:
        yield f"spec.{spec.kind()}"
        yield f"method.{spec.kind()}"
        yield f"name.{spec.kind()}"
        for field in fields_of(spec):
            yield f"spec.{spec.kind()}.{field.name}"
            yield f"spec.*.{field.name}"
            yield f"parameter.{field.name}"
            yield from (f"choice.{option}" for option in field.options)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_left_over_from_a_spec_that_is_gone(language: str) -> None:
    known = set(_from_registries())
    words = [key for key in catalogue(language).sentences if key.startswith(FAMILIES)]
    left = {key for key in words if key not in known and not key.startswith(("fact.", "pydantic."))}
    assert sorted(left) == []


@pytest.mark.parametrize("language", [name for name in COMPLETE if name != "en"])
def test_methods_models_measures_and_their_parameters_are_told_in_it(language: str) -> None:
    known = catalogue(language).sentences
    missing = {f"spec.{spec.kind()}" for spec in SPECS} - set(known)
    missing |= {f"name.{spec.kind()}" for spec in SPECS if spec not in list(METHODS)} - set(known)
    for spec in (*METHODS, *MODELS):
        for field in fields_of(spec):
            if not {f"spec.{spec.kind()}.{field.name}", f"spec.*.{field.name}"} & set(known):
                missing.add(f"spec.{spec.kind()}.{field.name}")
            missing |= {f"parameter.{field.name}"} - set(known)
            missing |= {f"choice.{option}" for option in field.options} - set(known)
    assert sorted(missing) == []


def test_every_family_its_methods_and_every_hierarchy_have_a_name() -> None:
    wanted = [f"family.{name}" for name in families()]
    wanted += [
        f"method.{kind}" for name, kinds in families().items() if name != "others" for kind in kinds
    ]
    wanted += [f"hierarchy.{kind}" for kind in {*KINDS, *HIERARCHIES.classes}]
    wanted += [f"date.{level}" for level in DATE_LEVELS[1:]]
    assert [key for key in wanted if key not in catalogue("en").sentences] == []


def test_every_method_of_the_registry_is_in_one_family() -> None:
    placed = [kind for kinds in families().values() for kind in kinds]
    assert sorted(placed) == sorted(kind.kind() for kind in METHODS)


def test_an_unknown_sentence_is_its_key() -> None:
    assert text("es", "no such key") == "no such key"


def test_rewording_the_english_keeps_the_translation() -> None:
    reworded = Message("error.did_you_mean", " Perhaps '{name}'?", name="age")
    assert translate(reworded, "es") == " ¿Quería decir «age»?"


def test_russian_has_its_three_forms() -> None:
    forms = catalogue("ru").plural
    assert [forms(n) for n in (1, 21, 2, 24, 5, 11, 12, 100)] == [0, 0, 1, 1, 2, 2, 2, 2]


@pytest.mark.parametrize("language", COMPLETE)
def test_one_thing_is_told_in_the_singular(language: str) -> None:
    assert text(language, "state.steps", n=1) == text(language, "state.steps", n="1")
    assert text(language, "state.steps", n=11).startswith("11 ")
    assert text(language, "state.records", n=48842)[:2] == "48"
