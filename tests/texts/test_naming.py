"""Methods, models, measures and their parameters in every language."""

from __future__ import annotations

from microveil.methods import RankSwap
from microveil.texts.naming import choice, fact, help_text, label, method_name, name_of, summary
from microveil.web.parts.spec_fields import fields_of


def test_what_a_language_lacks_appears_in_english() -> None:
    assert summary("en", RankSwap) == RankSwap.summary()
    assert summary("es", RankSwap) != RankSwap.summary()
    assert help_text("es", "of_tomorrow", "colour", "Its colour.") == "Its colour."
    assert label("es", "of_tomorrow") == choice("es", "of_tomorrow") == "of tomorrow"
    assert fact("es", "n_of_tomorrow") == name_of("es", "of_tomorrow") == "of tomorrow"
    assert method_name("es", "of_tomorrow") == "Of tomorrow"


def test_a_form_speaks_the_language_of_the_person() -> None:
    field = next(one for one in fields_of(RankSwap) if one.name == "range_share")
    spoken = field.in_language("es", "rank_swap")
    assert spoken.label == "alcance"
    assert spoken.help.startswith("Hasta dónde")
    assert field.in_language("en", "rank_swap").help == field.help
