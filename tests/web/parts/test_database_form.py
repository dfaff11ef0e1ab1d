"""A table from a database: shown where it may be read, and no password comes back."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from microveil.errors import InputError
from microveil.web.access import Address
from microveil.web.parts.database_form import database_form
from tests.web.drawing import Paper, drawn, paper


def test_an_app_for_others_offers_it_only_when_told(tmp_path: Path) -> None:
    page = paper(tmp_path, empty=True)
    far = Address(host="192.0.2.1")
    for databases in (False, True):
        server: Any = SimpleNamespace(address=far, databases=databases)
        page.server = server
        found = drawn(lambda: database_form(page))
        assert ("database address" in found.keys) is databases
    with pytest.raises(InputError):
        _typed(page, str(tmp_path / "people.db"))


def _typed(page: Paper, address: str) -> None:
    found = drawn(lambda: database_form(page))
    found.enter("database address", address)
    found.click(page.text("database.tables"))


def test_a_table_is_chosen_and_read(tmp_path: Path) -> None:
    path = tmp_path / "people.db"
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE towns (name TEXT)")
        base.execute("CREATE TABLE people (sex TEXT, age INTEGER)")
        base.execute("INSERT INTO people VALUES ('f', 30), ('m', 40)")
    base.close()
    folder = tmp_path / "session"
    folder.mkdir()
    page = paper(folder, empty=True)
    _typed(page, str(path))
    assert set(page.session.tables) == {"towns", "people"}
    found = drawn(lambda: database_form(page))
    found.enter("database table", "people")
    found.click("database read")
    assert page.project.frame.rows() == [("f", 30), ("m", 40)]


def test_a_password_is_kept_and_never_sent_back(tmp_path: Path) -> None:
    page = paper(tmp_path, empty=True)
    found = drawn(lambda: database_form(page))
    found.enter("database password", "SECRET")
    found.enter("database address", "postgresql://ann:HIDDEN@host/people")
    assert page.session.login.password == "SECRET"
    found = drawn(lambda: database_form(page))
    assert "SECRET" not in str([node.props for node in found.nodes])
    assert "HIDDEN" not in str([node.props for node in found.nodes])
    assert found.by_key("database password").props["placeholder"] == page.text("database.kept")
