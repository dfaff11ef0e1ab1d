"""Tables come from databases, passwords go nowhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from microveil.errors import FileError, InputError
from microveil.progress import silent
from microveil.web import actions
from microveil.web.jobs import Workers
from microveil.web.project import tasks
from microveil.web.project.databases import Login, check_login, tables_in
from microveil.web.sessions import Sessions, WebSession
from tests import postgresql

SECRET = "p@ss/w?rd:#1"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    path = tmp_path / "people.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE people (age INTEGER, town TEXT)")
    connection.execute("INSERT INTO people VALUES (31, 'Tartu'), (45, 'Vic')")
    connection.execute("CREATE TABLE towns (town TEXT)")
    connection.commit()
    connection.close()
    return path


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    """A real server with two tables and a view; one table is in a schema of its own."""
    programs = postgresql.binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (initdb not found); install package postgresql")
    psycopg = pytest.importorskip("psycopg")
    with postgresql.running(programs) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in (
                "CREATE TABLE people (age int, town text, born date, pay numeric(9,2))",
                "INSERT INTO people VALUES (31, 'Tartu', '1990-05-01', 12.5), (45, 'Vic', NULL, 3)",
                "CREATE VIEW adults AS SELECT age FROM people WHERE age > 40",
                "CREATE SCHEMA survey",
                "CREATE TABLE survey.homes (rooms int)",
                f"CREATE ROLE \"a nn\" LOGIN PASSWORD '{SECRET}'",
                'GRANT SELECT ON people, adults TO "a nn"',
            ):
                connection.execute(statement)
        yield url


def test_the_tables_are_listed_and_one_is_read(base: Path, tmp_path: Path) -> None:
    login = Login(str(base))
    assert sorted(tables_in(login)) == ["people", "towns"]
    opened = tasks.open_table(login, tmp_path / "t.arrow", {"table": "people"}, silent)
    assert opened.n_records == 2
    assert list(opened.types) == ["age", "town"]


def test_user_and_password_reach_the_library_whatever_characters_they_have() -> None:
    from urllib.parse import unquote, urlsplit

    login = Login("postgresql://host:5433/people", "a nn", SECRET)
    parts = urlsplit(login.source)
    assert unquote(parts.password or "") == SECRET
    assert unquote(parts.username or "") == "a nn"
    assert (parts.hostname, parts.port, parts.path) == ("host", 5433, "/people")


def test_a_password_is_shown_nowhere() -> None:
    typed = Login(f"postgresql://ann:{SECRET}@host/people", "", SECRET)
    for told in (repr(typed), str(typed), typed.shown, typed.name_of("t")):
        assert SECRET not in told
        assert "ann" not in told


def test_a_server_that_is_not_there_is_told_without_the_password() -> None:
    login = Login("postgresql://127.0.0.1:1/people", "ann", SECRET)
    with pytest.raises(FileError) as told:
        tables_in(login)
    assert SECRET not in str(told.value)


@pytest.mark.parametrize("address", ["", "http://host/a", "people.csv", "/etc/passwd"])
def test_what_is_no_database_is_refused(address: str) -> None:
    with pytest.raises(InputError):
        check_login(Login(address), local=True, servers=True)


def test_others_may_open_neither_files_of_the_machine_nor_servers_unasked(base: Path) -> None:
    with pytest.raises(InputError, match="Send the database file"):
        check_login(Login(str(base)), local=False, servers=True)
    with pytest.raises(InputError, match="Send the database file"):
        check_login(Login(f"sqlite:///{base}"), local=False, servers=True)
    with pytest.raises(InputError, match="--databases"):
        check_login(Login("postgresql://host/people"), local=False, servers=False)
    check_login(Login("postgresql://host/people"), local=False, servers=True)
    check_login(Login(str(base)), local=True, servers=True)


def _worked(session: WebSession) -> None:
    assert session.job is not None
    assert session.job.ended.wait(60)
    assert session.notice is None, session.notice


def test_a_session_reads_a_table_and_its_project_file_knows_no_password(base: Path) -> None:
    workers = Workers()
    sessions = Sessions(workers)
    try:
        session = sessions.new()
        session.login = Login(str(base), "", SECRET)
        actions.list_tables(session)
        _worked(session)
        assert "people" in session.tables
        actions.read_table(session, "people")
        _worked(session)
        project = actions.project_of(session)
        assert project.frame.height == 2
        assert project.source.endswith("?table=people")
        assert SECRET not in project.to_saved(with_data=True).to_text()
        assert SECRET not in repr(session)
        session.read_options["types"] = {"age": "text"}
        actions.read_again(session)
        _worked(session)
        assert actions.project_of(session).frame["age"].to_list() == ["31", "45"]
        actions.open_example(session, "patients")
        _worked(session)
        assert session.read_options == {}
    finally:
        sessions.close()
        workers.close()


@pytest.mark.slow
def test_a_table_of_a_real_postgresql_server_is_read_and_only_read(postgresql_url: str) -> None:
    workers = Workers()
    sessions = Sessions(workers)
    host = postgresql_url.rpartition("@")[2]
    try:
        session = sessions.new()
        session.login = Login(f"postgresql://{host}", "a nn", SECRET)
        check_login(session.login, local=False, servers=True)  # as with --databases
        actions.list_tables(session)
        _worked(session)
        assert sorted(session.tables) == ["adults", "people"]  # what this user may see
        actions.read_table(session, "people")
        _worked(session)
        project = actions.project_of(session)
        assert project.frame["age"].to_list() == [31, 45]
        assert project.frame["born"].null_count() == 1
        assert project.source == f"postgresql://{host}?table=people"
        told = project.to_saved(with_data=True).to_text() + repr(session) + project.recipe.to_yaml()
        assert SECRET not in told
        assert "a nn" not in project.source
        actions.read_table(session, "survey.homes")
        assert session.job is not None
        assert session.job.ended.wait(60)
        assert session.notice is not None
        assert session.notice.kind == "error"
        assert SECRET not in session.notice.text
        assert actions.project_of(session) is project
    finally:
        sessions.close()
        workers.close()
