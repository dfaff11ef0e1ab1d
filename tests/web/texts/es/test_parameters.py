"""Spanish: names of parameters that exist."""

from __future__ import annotations

from microveil.web.parts.spec_fields import fields_of
from microveil.web.texts.es.parameters import PARAMETERS
from microveil.web.texts.specs import all_specs, label


def test_every_name_is_that_of_a_parameter() -> None:
    known = {field.name for spec in all_specs() for field in fields_of(spec)}
    assert sorted(set(PARAMETERS) - known) == []


def test_names_are_short_and_not_those_of_the_recipe() -> None:
    assert all(0 < len(name) <= 40 and "_" not in name for name in PARAMETERS.values())
    assert all(label("es", name) == told for name, told in PARAMETERS.items())
