from __future__ import annotations

import microveil as mv
from tests.tabulation.rules.contributions import unsafe


def test_what_remains_must_hide_the_largest() -> None:
    # What the third and smaller contributors add, against p percent of the largest.
    assert sorted(unsafe(mv.PPercent(p=10), weighted=False)) == ["four", "one", "three", "two"]
    five = ["five", "four", "one", "three", "two"]
    assert sorted(unsafe(mv.PPercent(p=20), weighted=False)) == five


def test_contributors_who_pool_what_they_know_see_more() -> None:
    assert len(unsafe(mv.PPercent(p=20, n=2), weighted=False)) == 7
