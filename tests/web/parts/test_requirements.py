"""Requirements are listed in words, taken away, and added by a form."""

from __future__ import annotations

from pathlib import Path

from microveil.privacy import LDiversity
from microveil.web.parts.requirements import requirements
from tests.web.drawing import drawn, paper


def test_a_requirement_is_told_with_its_parameters(tmp_path: Path) -> None:
    page = paper(tmp_path)
    page.project.history.add(page.project.plan.with_require([LDiversity(l=3, column="ill")]))
    (told,) = [one for one in drawn(lambda: requirements(page)).texts if "diversity (" in one]
    assert "3" in told
    assert "ill" in told


def test_one_is_taken_away_and_another_added(tmp_path: Path) -> None:
    page = paper(tmp_path)
    found = drawn(lambda: requirements(page))
    assert "k-anonymity (k = 2)" in found.texts
    found.click(found.key_of("drop require"))
    assert not page.project.plan.require
    found = drawn(lambda: requirements(page))
    assert page.text("require.none") in found.texts
    found.enter("require kind", "l_diversity")
    found = drawn(lambda: requirements(page))
    found.enter("require l", "3")
    found.click(page.text("require.do"))
    (added,) = page.project.plan.require
    assert (added.kind(), added.l) == ("l_diversity", 3)  # type: ignore[union-attr]
