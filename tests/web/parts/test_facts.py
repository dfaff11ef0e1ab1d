"""Facts of a step in a line: no zeros, nothing twice, in the person's language."""

from __future__ import annotations

from microveil.web.parts.facts import facts_in_words


def test_zeros_and_what_is_said_already_are_left_out() -> None:
    facts = {"n_blank": 0, "k": 5, "late": False, "share": 0.123456, "label": "*"}
    assert facts_in_words(facts, ["k"]) == "share: 12.3% · label: *"
    assert facts_in_words({"n_by": {"a": 0}}) == facts_in_words({}) == ""
    assert facts_in_words({"n_cells": 12345}).endswith(": 12,345")


def test_facts_by_column_stand_together() -> None:
    assert facts_in_words({"n_blank": {"age": 12, "sex": 0, "town": 3}}).endswith("age 12, town 3")


def test_another_language_has_its_own_words() -> None:
    facts = {"n_suppressed": 3, "proved": True}
    assert facts_in_words(facts, language="es") != facts_in_words(facts)


def test_shares_are_told_in_percent_and_other_fractions_are_not() -> None:
    facts = {"suppressed_share": {"town": 0.008, "sex": 0.0}, "loss": 0.41421}
    assert facts_in_words(facts) == "suppressed share: town 0.8% · loss: 0.4142"
