"""Spanish: what each of them does, and what its parameters mean."""

from __future__ import annotations

from microveil.methods import METHODS
from microveil.web.parts.spec_fields import fields_of
from microveil.web.texts.es.methods import METHODS as TOLD
from microveil.web.texts.specs import summary


def test_every_one_is_explained_in_one_sentence() -> None:
    told = {kind: TOLD[kind] for kind in METHODS.classes if kind in TOLD}
    assert len(told) >= 0.9 * len(METHODS.classes)
    for kind, sentence in told.items():
        assert sentence.endswith("."), kind
        assert summary("es", METHODS[kind]) == sentence != summary("en", METHODS[kind])


def test_explanations_belong_to_parameters_that_exist() -> None:
    everywhere = {field.name for spec in METHODS for field in fields_of(spec)}
    for key in TOLD:
        kind, _, name = key.partition(".")
        known = (
            {field.name for field in fields_of(METHODS[kind])} if kind in METHODS else everywhere
        )
        assert kind == "*" or kind in METHODS, key
        assert not name or name in known, key
