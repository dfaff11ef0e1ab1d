"""Risk: keys are tried out at once, kept or put back; values are shown only when asked for."""

from __future__ import annotations

from pathlib import Path

from microveil.web.pages.risk import content
from tests.web.drawing import PEOPLE, ROLES, paper, ready


def test_the_numbers_are_those_of_the_keys(tmp_path: Path) -> None:
    page = paper(tmp_path, name="risk")
    found = ready(page, lambda: content(page))
    texts = found.texts
    assert texts[texts.index("k") - 1] == "1"
    n_unique = PEOPLE.group_by("sex", "age").len().filter(len=1).height
    assert texts[texts.index(page.text("risk.unique")) - 1] == str(n_unique)


def test_other_keys_are_tried_kept_and_put_back(tmp_path: Path) -> None:
    page = paper(tmp_path, name="risk")
    found = ready(page, lambda: content(page))
    assert page.text("risk.keep") not in found.keys
    found.enter("key age", value=False)
    assert page.form("risk")["keys"] == ["sex"]
    found = ready(page, lambda: content(page))
    assert found.texts[found.texts.index("k") - 1] == "6"
    found.click(page.text("risk.back"))
    assert "keys" not in page.form("risk")
    assert page.project.plan.roles == ROLES
    found.enter("key ill", value=True)
    found = ready(page, lambda: content(page))
    found.click(page.text("risk.keep"))
    roles = page.project.plan.roles
    assert roles.quasi_identifiers == ("sex", "age", "ill")
    assert roles.sensitive == ()


def test_without_a_key_there_is_no_risk_to_show(tmp_path: Path) -> None:
    page = paper(tmp_path, name="risk")
    page.form("risk")["keys"] = []
    found = ready(page, lambda: content(page))
    assert page.text("risk.none") in found.texts
    assert page.text("risk.classes") not in found.texts


def test_the_rarest_records_are_shown_on_request_alone(tmp_path: Path) -> None:
    page = paper(tmp_path, name="risk")
    ready(page, lambda: content(page)).click(page.text("risk.measure"))
    found = ready(page, lambda: content(page))
    assert page.text("risk.measure") not in found.keys
    assert page.text("risk.worst") not in found.texts
    found.click(page.text("risk.show_worst"))
    found = ready(page, lambda: content(page))
    assert page.text("risk.worst") in found.texts
    assert "51" in found.texts
    found.click(page.text("risk.hide_worst"))
    assert not page.form("risk").get("worst")
