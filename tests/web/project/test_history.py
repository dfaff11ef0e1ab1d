"""Undo and redo go through the plans, and a new plan forgets what was undone."""

from __future__ import annotations

from microveil.methods import Drop
from microveil.web.project.history import LONGEST, History
from microveil.web.project.plan import ProjectPlan


def _plan(name: str) -> ProjectPlan:
    return ProjectPlan().with_step(Drop(columns=(name,)))


def test_undo_and_redo_lead_back_and_forth() -> None:
    history = History()
    assert not history.can_undo
    assert history.add(_plan("a"))
    assert history.add(_plan("b"))
    history.undo()
    assert history.now == _plan("a")
    assert history.can_redo
    history.redo()
    assert history.now == _plan("b")
    history.redo()
    assert history.now == _plan("b")


def test_the_same_plan_is_no_change() -> None:
    history = History()
    history.add(_plan("a"))
    assert not history.add(_plan("a"))
    history.undo()
    assert not history.can_undo


def test_a_new_plan_forgets_those_that_were_undone() -> None:
    history = History()
    history.add(_plan("a"))
    history.undo()
    history.add(_plan("b"))
    assert not history.can_redo
    assert history.now == _plan("b")


def test_the_history_has_an_end() -> None:
    history = History()
    for number in range(LONGEST + 10):
        history.add(_plan(str(number)))
    assert len(history.plans) == LONGEST
    assert history.now == _plan(str(LONGEST + 9))
