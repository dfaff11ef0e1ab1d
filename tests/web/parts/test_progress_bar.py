"""The work under way is shown with its stage, and can be ended."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from microveil.web.parts.progress_bar import _name_stage, job_bar
from tests.web.drawing import drawn, paper


def job(**more: Any) -> Any:
    usual = {"title": "job.steps", "running": True, "what": "drop", "share": 0.5, "seconds": 3.2}
    return SimpleNamespace(**{**usual, **more})


def test_nothing_is_shown_while_nothing_runs(tmp_path: Path) -> None:
    page = paper(tmp_path, empty=True)
    assert drawn(lambda: job_bar(page)).nodes == []
    page.session.job = job(running=False)
    assert drawn(lambda: job_bar(page)).nodes == []


def test_a_job_says_what_it_does_and_how_far_it_is(tmp_path: Path) -> None:
    page = paper(tmp_path, empty=True)
    ended: list[bool] = []
    page.session.job = job(cancel=lambda: ended.append(True))
    found = drawn(lambda: job_bar(page))
    assert found.texts[0] == f"{page.text('job.steps')}: {page.text('method.drop')} (3 s)"
    (bar,) = found.all("progress")
    assert bar.props["value"] == 50
    found.click("cancel")
    assert ended == [True]


def test_only_known_stages_are_told(tmp_path: Path) -> None:
    page = paper(tmp_path, empty=True)
    assert _name_stage(page, "") == _name_stage(page, "a cell SECRET") == ""
    assert _name_stage(page, "mondrian") == f": {page.text('method.mondrian')}"
