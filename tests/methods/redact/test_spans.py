from __future__ import annotations

from microveil.methods.redact.spans import Span, fold, without, words_of


def test_names_are_compared_without_case_and_accents() -> None:
    assert fold("MÜLLER") == fold("müller") == "muller"
    assert fold("Søren") == "soren"


def test_words_know_their_place() -> None:
    assert [(w.start, w.end, w.folded, w.capital) for w in words_of("Él, no")] == [
        (0, 2, "el", True),
        (4, 6, "no", False),
    ]


def test_overlapping_spans_become_one() -> None:
    assert without("abcdef", [Span(1, 3, "id"), Span(2, 5, "phone")]) == ("a[id]f", ["id"])


def test_names_side_by_side_are_one_but_not_over_a_line() -> None:
    spans = [Span(0, 2, "name"), Span(4, 6, "name")]
    assert without("Bo, Li", spans)[0] == "[name]"
    assert without("Bo.\nLi", spans)[0] == "[name].\n[name]"
