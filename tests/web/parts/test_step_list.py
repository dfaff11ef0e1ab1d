"""Steps are moved, switched off and removed by their buttons, and say what they changed."""

from __future__ import annotations

from pathlib import Path

from microveil.methods import Drop, LocalSuppression
from microveil.web.parts.step_list import _draw_change, step_list
from tests.web.drawing import drawn, paper

STEPS = (Drop(columns=["name"]), LocalSuppression(k=2))


def kinds(page: object) -> list[str]:
    return [item.step.kind() for item in page.project.plan.items]  # type: ignore[attr-defined]


def test_an_empty_plan_invites(tmp_path: Path) -> None:
    page = paper(tmp_path)
    assert drawn(lambda: step_list(page)).texts == [page.text("protect.empty")]


def test_buttons_change_the_plan(tmp_path: Path) -> None:
    page = paper(tmp_path, *STEPS)

    def press(start: str, n: int) -> None:
        found = drawn(lambda: step_list(page))
        found.click(found.keys_of(start)[n])

    press("step.up ", 1)
    assert kinds(page) == ["local_suppression", "drop"]
    press("step.down ", 0)
    assert kinds(page) == ["drop", "local_suppression"]
    press("step.off ", 1)
    assert [item.on for item in page.project.plan.items] == [True, False]
    press("step.on ", 0)
    assert all(item.on for item in page.project.plan.items)
    press("remove_named ", 0)
    assert kinds(page) == ["local_suppression"]
    press("edit ", 0)
    form = page.form("step")
    assert (form["kind"], form["position"], form["typed"]["k"]) == ("local_suppression", 0, "2")


def test_a_step_says_what_it_changed_once_it_is_known(tmp_path: Path) -> None:
    page = paper(tmp_path, *STEPS)
    found = drawn(lambda: step_list(page))
    assert "k: 1 → 6" in found.texts
    assert any("age" in text and "11" in text for text in found.texts)
    page.project.effects.clear()
    found = drawn(lambda: step_list(page))
    assert found.texts.count(page.text("step.waiting")) == 2


def test_a_change_is_better_or_worse_or_neither(tmp_path: Path) -> None:
    page = paper(tmp_path, empty=True)

    def tone(*moved: int | None, more: bool = False) -> list[str]:
        (node,) = drawn(lambda: _draw_change(page, "n", *moved, more_is_better=more)).nodes
        return list(node.classes)

    assert tone(5, 3) == ["better"]
    assert tone(3, 5) == ["worse"]
    assert tone(3, 5, more=True) == ["better"]
    assert tone(3, 3) == tone(None, 3) == []
