"""What a step reports about itself, in a line."""

from __future__ import annotations

from microveil.web.parts.facts import facts_in_words


def test_facts_are_named_in_the_language_of_the_person() -> None:
    facts = {"n_labels_before": 78, "n_labels_after": 17, "interrupted": True, "k": 4}
    assert facts_in_words(facts, ["k"]) == "labels before: 78 · labels after: 17 · interrupted: yes"
    spanish = facts_in_words(facts, ["k"], "es")
    assert spanish == "etiquetas antes: 78 · etiquetas después: 17 · interrumpido: sí"


def test_what_is_zero_or_false_is_left_out() -> None:
    assert facts_in_words({"n_blank": {"age": 0}, "interrupted": False, "loss": 0.0}) == ""
