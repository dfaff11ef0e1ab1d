"""Spanish: words to choose from, names of models and measures, and facts of steps."""

from __future__ import annotations

import pytest

from microveil.privacy import MODELS
from microveil.risk import RISK_MEASURES
from microveil.utility import UTILITY_MEASURES
from microveil.web.parts.spec_fields import fields_of
from microveil.web.texts.es.choices import CHOICES, FACTS, NAMES
from microveil.web.texts.specs import all_specs


@pytest.mark.parametrize("table", [CHOICES, NAMES, FACTS])
def test_words_are_tidy_and_not_those_of_a_recipe(table: dict[str, str]) -> None:
    for key, word in table.items():
        assert word == word.strip() != "", key
        assert "_" not in word, key


def test_every_word_of_a_form_can_be_chosen_in_spanish() -> None:
    offered = {
        str(option)
        for spec in all_specs()
        for field in fields_of(spec)
        if field.kind == "choice"
        for option in field.options
    }
    assert len(offered & set(CHOICES)) >= 0.9 * len(offered)


def test_names_are_those_of_models_and_measures() -> None:
    known = {*MODELS.classes, *RISK_MEASURES.classes, *UTILITY_MEASURES.classes}
    assert len(known & set(NAMES)) >= 0.9 * len(known)
