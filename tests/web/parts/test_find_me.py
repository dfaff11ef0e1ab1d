"""Find me: who is left, and what would be learnt; an answer is for one plan."""

from __future__ import annotations

from pathlib import Path

from microveil.app.finding import Found, Learnt
from microveil.methods import Drop, LocalSuppression, OptimalGeneralization
from microveil.privacy import KAnonymity
from microveil.tables import Roles
from microveil.web import actions
from microveil.web.parts.find_me import _sentence, _stale, find_me
from tests.web.drawing import drawn, paper

STEPS = (Drop(columns=["name"]), LocalSuppression(k=2))


def test_a_person_is_looked_for_in_every_state(tmp_path: Path) -> None:
    page = paper(tmp_path, *STEPS)
    found = drawn(lambda: find_me(page))
    found.enter("find sex", "f")
    found.enter("find age", "31")
    found.click(page.text("find.look"))
    cells = [node._text for node in drawn(lambda: find_me(page)).all("td")]
    rows = [cells[i : i + 3] for i in range(0, len(cells), 3)]
    assert [row[0] for row in rows] == [
        page.text("find.original"),
        f"1. {page.text('method.drop')}",
        f"2. {page.text('method.local_suppression')}",
    ]
    assert [row[1] for row in rows] == ["1", "1", "6"]
    assert page.text("find.one") in str(rows[0][2])


def test_an_old_answer_says_what_has_changed_since(tmp_path: Path) -> None:
    page = paper(tmp_path, *STEPS)
    drawn(lambda: find_me(page)).click(page.text("find.anybody"))
    then = page.project.plan
    roles = then.roles.model_copy(update={"sensitive": ()})
    lost = then.without_step(1)
    aimed = then.with_step(OptimalGeneralization())
    changes = {
        "steps": lost,
        "roles": then.with_roles(roles),
        "both": lost.with_roles(roles),
    }
    for what, plan in changes.items():
        page.project.history.add(plan)
        assert page.text(f"find.again.{what}") in drawn(lambda: find_me(page)).texts, what
    assert _stale(page, None) == "step.waiting"
    actions.change(page.session, then)
    assert not _stale(page, page.project.plan)
    assert _stale(page, None) == "find.again.steps"
    actions.change(page.session, aimed)
    page.form("find")["found"] = (aimed, [])
    page.project.history.add(aimed.with_require((KAnonymity(k=3),)))
    assert page.text("find.again.other") in drawn(lambda: find_me(page)).texts


def test_anybody_is_filled_in(tmp_path: Path) -> None:
    page = paper(tmp_path, *STEPS)
    drawn(lambda: find_me(page)).click(page.text("find.anybody"))
    assert set(page.form("find")["known"]) == {"sex", "age"}
    assert page.form("find")["found"][0] == page.project.plan


def test_knowing_nothing_finds_nothing(tmp_path: Path) -> None:
    page = paper(tmp_path)
    drawn(lambda: find_me(page)).click(page.text("find.look"))
    assert "found" not in page.form("find")
    page.project.history.add(page.project.plan.with_roles(Roles()))
    assert page.text("risk.none") in drawn(lambda: find_me(page)).texts


def test_what_is_learnt_is_a_sentence(tmp_path: Path) -> None:
    page = paper(tmp_path, empty=True)
    nobody = Found("original", 0, 12, ())
    assert _sentence(page, nobody) == page.text("find.nobody")
    sure = Found("original", 3, 12, (Learnt("ill", 1, (("flu", 1.0),)),))
    assert "flu" in _sentence(page, sure)
    likely = Found("original", 3, 12, (Learnt("ill", 2, (("flu", 2 / 3), ("cold", 1 / 3))),))
    assert "66.7%" in _sentence(page, likely)
    assert _sentence(page, Found("x", 3, 12, ())) == page.text("find.nothing")
