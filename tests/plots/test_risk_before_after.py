from __future__ import annotations

import pytest

from microveil.errors import InputError
from microveil.plots import risk_before_after_chart, to_svg
from microveil.plots.risk_before_after import MEASURES
from tests.plots.cases import AFTER, BEFORE, rows_of


def test_each_risk_stands_before_and_after_as_assessed() -> None:
    moves = {row["measure"]: row for row in rows_of(risk_before_after_chart(BEFORE, AFTER))}
    assert set(moves) == set(MEASURES.values())
    for name, words in MEASURES.items():
        assert moves[words]["before"] == BEFORE.to_dict()[name]
        assert moves[words]["after"] == AFTER.to_dict()[name]
    # Two of fourteen towns have one inhabitant, then all live in one.
    assert moves["Unique records"]["before"] == pytest.approx(2 / 14)
    assert moves["Highest risk (1/k)"]["after"] == pytest.approx(1 / 14)


def test_the_words_are_drawn() -> None:
    svg = to_svg(risk_before_after_chart(BEFORE, AFTER))
    assert all(words in svg for words in MEASURES.values())


def test_one_assessment_alone_has_no_before() -> None:
    with pytest.raises(InputError, match="two Assessments"):
        risk_before_after_chart(BEFORE)
