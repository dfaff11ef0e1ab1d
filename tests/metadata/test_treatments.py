from __future__ import annotations

import re

import pytest

from microveil.metadata.treatments import TREATMENTS, treatment_of
from microveil.methods import METHODS


def test_every_method_is_told_in_words_that_may_be_published() -> None:
    assert set(TREATMENTS) == {one.kind() for one in METHODS}


@pytest.mark.parametrize("method", sorted(TREATMENTS))
def test_the_words_hold_no_number_and_end_as_a_sentence(method: str) -> None:
    sentence = TREATMENTS[method].sentence
    assert not re.search(r"\d", sentence)
    assert sentence.endswith(".")


def test_a_method_of_somebody_else_is_told_as_a_change() -> None:
    assert treatment_of("my_own").kind == "perturbed"
