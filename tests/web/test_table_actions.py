"""What a click does with tables and outputs."""

from __future__ import annotations

from pathlib import Path

from microveil.tabulation.plan import TablePlan
from microveil.web import registry_actions, table_actions
from microveil.web.project.registries import RegistryPlace
from tests.web.drawing import paper

PLAN = TablePlan.from_yaml("tables: [{by: [ill]}]")


def test_published_tables_are_noted_where_a_registry_is_open(tmp_path: Path) -> None:
    folder = tmp_path / "session"
    folder.mkdir()
    session = paper(folder, name="tables").session
    place = RegistryPlace(str(tmp_path / "r.db"), str(tmp_path / "r.key"))
    registry_actions.open_registry(session, place, create=True)
    table_actions.protect(session, PLAN)
    assert session.project is not None
    assert session.project.tables is not None
    assert not session.project.tables.files
    assert not place.open().releases()
    table_actions.publish(session, PLAN)
    assert session.notice is None
    (noted,) = place.open().releases()
    assert (noted.kind, noted.source, session.project.tables.noted) == (
        "tables",
        "people",
        noted.id,
    )


def test_another_package_takes_the_place_of_the_last(tmp_path: Path) -> None:
    session = paper(tmp_path, name="outputs", empty=True).session
    for name in ("a.zip", "b.zip"):
        (tmp_path / name).write_bytes(b"x")
        table_actions.take_outputs(session, tmp_path / name, name)
    assert not (tmp_path / "a.zip").exists()
    assert session.packages["outputs"][1] == "b.zip"
    table_actions.check_outputs(session, "acro", None)
    assert session.notice is not None
    assert "cannot be unpacked" in session.notice.text
