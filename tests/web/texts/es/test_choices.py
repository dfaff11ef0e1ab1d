"""Spanish choices: words that a person can tell apart."""

from __future__ import annotations

from microveil.web.parts.spec_fields import fields_of
from microveil.web.texts.es.choices import CHOICES, FACTS, NAMES
from microveil.web.texts.specs import all_specs


def test_the_choices_of_one_field_have_different_words() -> None:
    for spec in all_specs():
        for field in fields_of(spec):
            told = [CHOICES[word] for word in field.options]
            assert len(set(told)) == len(told), f"{spec.kind()}.{field.name}"


def test_no_word_is_a_recipe_s_own() -> None:
    assert [
        one for one in (*CHOICES.values(), *NAMES.values(), *FACTS.values()) if "_" in one
    ] == []
