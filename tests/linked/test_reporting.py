from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import pytest

import microveil as mv
from microveil.errors import RequirementNotMetError
from microveil.linked import LinkedRelease
from microveil.linked.reporting import summarize_linked
from tests.linked.test_release import release
from tests.linked.test_running import small


def report(made: LinkedRelease, path: Path, **said: Any) -> dict[str, Any]:
    made.report(path, **said)
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def test_people_come_first_and_each_table_has_its_file(tmp_path: Path) -> None:
    made = release()
    told = report(made, tmp_path / "r.json", written=made.write(tmp_path / "out"))
    assert told["verdict"]["tone"] == "good"
    assert told["content"]["n_records"] == 2
    assert told["links"] == ["visits.person -> people.id"]
    names = [one["name"] for one in told["tables"]]
    assert names == ["people", "visits"]
    for one in told["tables"]:
        assert one["file"]["holds"]
        assert one["file"]["name"] == f"{one['name']}.csv"
    assert "person" not in told["tables"][0]["columns"]


def test_a_changed_file_is_seen(tmp_path: Path) -> None:
    made = release()
    written = made.write(tmp_path / "out")
    (tmp_path / "out" / "visits.csv").write_text("person,ward,note\n", encoding="utf-8")
    told = report(made, tmp_path / "r.json", written=written)
    assert told["verdict"]["tone"] == "bad"
    with pytest.raises(RequirementNotMetError, match="changed after"):
        summarize_linked(made, "public", written=written)


@pytest.mark.parametrize("audience", ["internal", "public"])
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_page_shows_all_tables(
    tmp_path: Path, audience: Literal["internal", "public"], language: str
) -> None:
    made = release()
    path = made.report(tmp_path / "r.html", audience=audience, language=language)
    text = path.read_text(encoding="utf-8")
    assert ("Tables" if language == "en" else "Tablas") in text
    assert all(f"<code>{name}</code>" in text for name in ("people", "visits"))


def test_what_may_not_leave_has_an_internal_report_only(tmp_path: Path) -> None:
    frames, raw = small()
    made = mv.run_linked(mv.LinkedRecipe.parse(raw), frames)
    assert report(made, tmp_path / "r.json")["verdict"]["tone"] == "bad"
    with pytest.raises(RequirementNotMetError):
        made.report(tmp_path / "p.html", audience="public")
    assert not (tmp_path / "p.html").exists()


def test_a_requirement_of_one_table_decides_too(tmp_path: Path) -> None:
    frames, raw = small()
    raw["people"]["require"] = []
    raw["tables"]["visits"]["require"] = [{"model": "k_anonymity", "k": 3}]
    made = mv.run_linked(mv.LinkedRecipe.parse(raw), frames)
    told = report(made, tmp_path / "r.json")
    assert told["verdict"]["tone"] == "bad"
    assert not told["tables"][1]["requirements"][0]["holds"]
