"""The table as it is: the corner of the map."""

from __future__ import annotations

from microveil.app.advising.families import FAMILIES, Plan
from tests.app.advising.cases import judge


def test_nothing_is_done_but_dropping_names() -> None:
    found = judge().trial(Plan("as_it_is", ()), 0)
    assert found.loss == 0
    assert not found.counts
    assert [step.kind() for step in found.recipe.steps] == ["drop"]
    assert FAMILIES["as_it_is"].starts(judge().here)
