"""English names of models and measures that are not just their words."""

from __future__ import annotations

from microveil.web.texts.en.names import NAMES
from microveil.web.texts.specs import all_specs, name_of


def test_every_name_is_that_of_a_model_or_measure() -> None:
    assert set(NAMES) <= {spec.kind() for spec in all_specs()}


def test_they_reach_the_pages() -> None:
    assert name_of("en", "k_anonymity") == "k-anonymity"
    assert name_of("en", "il1s_2") == "IL1s 2"
    assert name_of("en", "record_linkage") == "record linkage"
