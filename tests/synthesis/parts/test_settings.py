from __future__ import annotations

import pytest

from microveil.errors import SpecError
from microveil.synthesis.cart import Cart
from microveil.synthesis.parts.settings import SynthesisSettings


def test_a_generator_is_given_by_name_or_with_its_parameters() -> None:
    assert SynthesisSettings.parse({}).generator == Cart()
    assert SynthesisSettings.parse({"generator": "cart"}).generator == Cart()
    named = SynthesisSettings.parse({"generator": {"generator": "marginals", "smoothing": 0}})
    assert SynthesisSettings.parse(named.to_dict()) == named


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"n": 10, "risk_threshold": 0.1}, "partial synthesis keeps all records"),
        ({"n": 0}, "greater than or equal to 1"),
        ({"risk_threshold": 1}, "less than 1"),
        ({"generator": "crt"}, "cart"),
    ],
)
def test_what_contradicts_itself_is_refused(wrong: dict[str, object], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        SynthesisSettings.parse(wrong)
