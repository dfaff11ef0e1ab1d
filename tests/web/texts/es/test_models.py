"""Spanish: what each of them does, and what its parameters mean."""

from __future__ import annotations

from microveil.privacy import MODELS
from microveil.web.parts.spec_fields import fields_of
from microveil.web.texts.es.models import MODELS as TOLD
from microveil.web.texts.specs import summary


def test_every_one_is_explained_in_one_sentence() -> None:
    told = {kind: TOLD[kind] for kind in MODELS.classes if kind in TOLD}
    assert len(told) >= 0.9 * len(MODELS.classes)
    for kind, sentence in told.items():
        assert sentence.endswith("."), kind
        assert summary("es", MODELS[kind]) == sentence != summary("en", MODELS[kind])


def test_explanations_belong_to_parameters_that_exist() -> None:
    everywhere = {field.name for spec in MODELS for field in fields_of(spec)}
    for key in TOLD:
        kind, _, name = key.partition(".")
        assert kind == "*" or kind in MODELS, key
        known = {one.name for one in fields_of(MODELS[kind])} if kind != "*" else everywhere
        assert not name or name in known, key
