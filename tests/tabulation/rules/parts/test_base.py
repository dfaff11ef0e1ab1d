from __future__ import annotations

import microveil as mv
from tests.tabulation.rules.contributions import unsafe


def test_weights_are_one_contributor_or_several() -> None:
    assert unsafe(mv.Dominance(n=1, k=70)) == ["one"]
    assert unsafe(mv.Dominance(n=2, k=90)) == ["one"]
    assert sorted(unsafe(mv.Dominance(n=2, k=90, weighting="represented"))) == ["one", "two"]
