"""Tables without protection: unsafe cells are known, and nothing of them can be published."""

from __future__ import annotations

import pytest

from microveil.errors import RequirementNotMetError
from microveil.tabulation.audit.unprotected import judge_unprotected
from microveil.tabulation.rules import Zeros
from microveil.tabulation.tabulation import Tabulation

DATA = {"town": list("aaaabbbbb"), "sex": list("fffmfffff")}


def test_unsafe_cells_are_disclosed_and_nothing_is_published() -> None:
    made = judge_unprotected(DATA, [Tabulation(by=["town", "sex"])])
    assert made.n_disclosed == 2  # the only man of a, and of both towns
    with pytest.raises(RequirementNotMetError):
        _ = made.frames
    (frame,) = made.office_frames().values()
    assert frame.filter(status="unsafe")["true"].to_list() == [1, 1]


def test_safe_tables_may_be_published_as_they_are() -> None:
    made = judge_unprotected(DATA, [Tabulation(by=["town"])])
    assert made.holds
    assert made.frames["count by town"]["value"].to_list() == [9, 4, 5]


def test_rules_that_look_at_empty_cells_see_them() -> None:
    made = judge_unprotected(DATA, [Tabulation(by=["town", "sex"])], rules=[Zeros()])
    assert made.facts[0]["n_unsafe"] >= 1
