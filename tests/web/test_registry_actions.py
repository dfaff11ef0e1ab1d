"""What a click does with the registry."""

from __future__ import annotations

from pathlib import Path

import pytest

from microveil.errors import InputError
from microveil.web import registry_actions
from microveil.web.project.registries import RegistryPlace
from tests.web.drawing import PEOPLE, paper


def test_without_a_registry_nothing_can_be_asked_of_it(tmp_path: Path) -> None:
    session = paper(tmp_path, name="releases", empty=True).session
    with pytest.raises(InputError, match="Open a registry first"):
        registry_actions.look_again(session)


def test_a_project_is_noted_where_the_registry_is_as_long_as_it_is_open(tmp_path: Path) -> None:
    session = paper(tmp_path, name="releases").session
    place = RegistryPlace(str(tmp_path / "r.db"), str(tmp_path / "r.key"))
    registry_actions.open_registry(session, place, create=True)
    registry_actions.set_terms(session, person="name", audience="X")
    assert session.project is not None
    use = session.project.registry
    assert use is not None
    assert (use.source, use.person, use.audience) == ("people", "name", "X")
    registry_actions.look_again(session)  # what was said stays
    assert session.project.registry == use
    registry_actions.close_registry(session)
    assert session.project.registry is None


def test_a_file_that_was_not_released_is_told_so_and_wiped(tmp_path: Path) -> None:
    session = paper(tmp_path, name="releases", empty=True).session
    place = RegistryPlace(str(tmp_path / "r.db"), str(tmp_path / "r.key"))
    registry_actions.open_registry(session, place, create=True)
    file = tmp_path / "x.csv"
    PEOPLE.write_csv(file)
    registry_actions.recognise(session, file, "mine.csv")
    assert session.notice is not None
    assert session.notice.text == "mine.csv is not among the releases of this registry."
    assert not file.exists()
