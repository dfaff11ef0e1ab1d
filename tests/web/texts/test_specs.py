"""Methods, models, measures and their parameters in every language."""

from __future__ import annotations

import pytest

from microveil.methods import METHODS, RankSwap
from microveil.privacy import MODELS
from microveil.web.parts.spec_fields import fields_of
from microveil.web.texts import LANGUAGES
from microveil.web.texts.specs import SPEC_TEXTS, all_specs, help_text, label, summary

ENOUGH = 0.95
"""Share of the texts that a language must have; a new method may come before its translation."""
OTHERS = [name for name in LANGUAGES if name != "en"]


def _missing(language: str) -> tuple[list[str], int]:
    """What a language lacks, and how much there is to say."""
    texts = SPEC_TEXTS[language]
    wanted = [spec.kind() for spec in all_specs()]
    names = set()
    lacking = [kind for kind in wanted if kind not in texts.told]
    for spec in (*METHODS, *MODELS):
        for field in fields_of(spec):
            wanted.append(f"{spec.kind()}.{field.name}")
            if not {wanted[-1], f"*.{field.name}"} & set(texts.told):
                lacking.append(wanted[-1])
            names.add(field.name)
    lacking += sorted(name for name in names if name not in texts.names)
    return lacking, len(wanted) + len(names)


@pytest.mark.parametrize("language", OTHERS)
def test_nearly_everything_is_said_in_every_language(language: str) -> None:
    lacking, n = _missing(language)
    assert len(lacking) <= (1 - ENOUGH) * n, f"not translated yet: {', '.join(lacking)}"


@pytest.mark.parametrize("language", OTHERS)
def test_no_text_is_left_over_from_a_spec_that_is_gone(language: str) -> None:
    known = {spec.kind(): {field.name for field in fields_of(spec)} for spec in all_specs()}
    everywhere = {name for names in known.values() for name in names}
    for key in SPEC_TEXTS[language].told:
        kind, _, name = key.partition(".")
        assert kind == "*" or kind in known, key
        assert not name or name in everywhere, key


def test_what_a_language_lacks_appears_in_english() -> None:
    assert summary("en", RankSwap) == RankSwap.summary()
    assert summary("es", RankSwap) != RankSwap.summary()
    assert help_text("es", "of_tomorrow", "colour", "Its colour.") == "Its colour."
    assert label("es", "of_tomorrow") == "of tomorrow"


def test_a_form_speaks_the_language_of_the_person() -> None:
    field = next(one for one in fields_of(RankSwap) if one.name == "range_share")
    spoken = field.spoken("es", "rank_swap")
    assert spoken.label == "alcance"
    assert spoken.help.startswith("Hasta dónde")
    assert field.spoken("en", "rank_swap").help == field.help


@pytest.mark.parametrize("language", OTHERS)
def test_every_word_to_choose_and_every_model_and_measure_has_a_name(language: str) -> None:
    texts = SPEC_TEXTS[language]
    words = {word for spec in all_specs() for field in fields_of(spec) for word in field.options}
    kinds = {spec.kind() for spec in all_specs()} - {spec.kind() for spec in METHODS}
    assert sorted(words - set(texts.choices)) == []
    assert sorted(kinds - set(texts.kinds)) == []
    assert sorted(set(texts.choices) - words) == []
