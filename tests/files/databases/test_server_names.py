"""The table that a server means: whatever the spelling, no other one is ever touched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import psycopg
import pytest
from polars.testing import assert_frame_equal

from microveil.app import run_file
from microveil.errors import FileError
from microveil.files import read, write
from microveil.files.databases.address import Address
from microveil.files.databases.postgresql import keys_of
from microveil.files.targets import Target, same_place
from microveil.methods import Drop
from microveil.recipes import Recipe
from microveil.tables import Roles

FRAME = pl.DataFrame({"name": ["ann", "bob"], "sex": ["f", "m"]})
OTHER = pl.DataFrame({"other": [1, 2, 3]})
LONG = "s" * 63
RECIPE = Recipe(
    roles=Roles(identifiers=["name"], insensitive=["sex"]), steps=[Drop(columns="name")]
)


@pytest.fixture
def url(postgresql_url: str) -> Iterator[str]:
    yield postgresql_url
    _run(postgresql_url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    _run(postgresql_url, "DROP SCHEMA IF EXISTS survey CASCADE")


def _run(url: str, statements: str) -> None:
    with psycopg.connect(url) as connection:
        for statement in statements.split("; "):
            connection.execute(statement.encode())


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("name", [f"{LONG}_released", f"public.{LONG}x", f"{'ä' * 31}ss"])
def test_a_name_that_the_server_would_cut_touches_no_table(
    url: str, name: str, *, replace: bool
) -> None:
    for table in (LONG, f"{'ä' * 31}s"):
        write(FRAME, url, table=table, keep_order=True)
    with pytest.raises(FileError, match="longer than the 63 bytes"):
        run_file(RECIPE, f"{url}?table={LONG}", f"{url}?table={name}", replace_table=replace)
    with pytest.raises(FileError, match="longer than the 63 bytes"):
        write(OTHER, url, table=name, replace=replace)
    for table in (LONG, f"{'ä' * 31}s"):
        assert_frame_equal(read(url, table=table), FRAME)


def test_a_column_that_the_server_would_cut_has_a_sentence_of_its_own(url: str) -> None:
    wide = pl.DataFrame({"c" * 64: [1], "c" * 63: [2]})
    with pytest.raises(FileError, match="63 bytes of a column's name"):
        write(wide, url, table="t")
    write(wide.select("c" * 63), url, table="t")


def test_one_table_is_known_under_every_spelling(url: str) -> None:
    _run(url, "CREATE SCHEMA survey")
    write(FRAME, url, table="survey.people")
    path = "options=-csearch_path%3Dsurvey,public"
    plain = Target(f"{url}?table=survey.people")
    found = Target(f"{url}?{path}&table=people")
    elsewhere = Target(f"{url.replace('127.0.0.1', 'localhost')}?{path}&table=people")
    assert same_place(plain, found) is same_place(plain, elsewhere) is True
    assert not same_place(Target(f"{url}?table=people"), plain)
    address = Address.of(f"{url}?table=survey.people", None, None, "postgresql")
    assert len(keys_of(address)) == 1


def test_a_query_that_quotes_a_schema_reads_the_table(url: str) -> None:
    _run(url, "CREATE SCHEMA survey")
    query = Target(url, {"query": 'SELECT * FROM "survey"."people"'})
    assert same_place(query, Target(url, {"table": "survey.people"}))


def test_letter_case_tells_tables_of_a_server_apart(url: str) -> None:
    write(FRAME, url, table="People", keep_order=True)
    write(OTHER, url, table="people", keep_order=True)
    assert_frame_equal(read(url, table="People"), FRAME)
    with pytest.raises(FileError, match="already has a table 'People'"):
        write(OTHER, url, table="People")


def test_the_name_of_something_else_is_taken(url: str) -> None:
    write(FRAME, url, table="t")
    _run(url, "CREATE INDEX taken ON t (sex); CREATE SEQUENCE counted")
    for name in ("taken", "counted"):
        with pytest.raises(FileError, match="no table, such as an index"):
            write(OTHER, url, table=name, replace=True)


def test_a_table_that_may_not_be_seen_is_not_touched(url: str) -> None:
    write(FRAME, url, table="secret", keep_order=True)
    _run(url, "CREATE ROLE guest LOGIN; GRANT ALL ON SCHEMA public TO guest")
    guest = url.replace("tester", "guest")
    try:
        with pytest.raises(FileError, match="already has a table 'secret'"):
            write(OTHER, guest, table="secret")
        with pytest.raises(FileError, match="PostgreSQL says: must be owner of table secret"):
            write(OTHER, guest, table="secret", replace=True)
        assert_frame_equal(read(url, table="secret"), FRAME)
    finally:
        _run(url, "REVOKE ALL ON SCHEMA public FROM guest; DROP ROLE guest")


FAMILY = (
    "CREATE TABLE whole (name text, sex text) PARTITION BY LIST (sex); "
    "CREATE TABLE part PARTITION OF whole FOR VALUES IN ('f'); "
    "CREATE TABLE parent (name text, sex text); CREATE TABLE child () INHERITS (parent); "
    "CREATE TABLE base (name text, sex text); CREATE VIEW seen AS SELECT * FROM base; "
    "CREATE FUNCTION told() RETURNS SETOF base LANGUAGE sql STABLE AS 'SELECT * FROM base'; "
    "INSERT INTO part VALUES ('ann', 'f'); INSERT INTO child VALUES ('ann', 'f'); "
    "INSERT INTO base VALUES ('ann', 'f')"
)


@pytest.mark.parametrize("how", ["replace_table", "append_to_table"])
@pytest.mark.parametrize(
    ("source", "target", "kept"),
    [
        ("table=whole", "part", "whole"),
        ("table=part", "whole", "whole"),
        ("table=parent", "child", "parent"),
        ("table=seen", "base", "base"),
        ('query=SELECT * FROM U%26"b\\0061se"', "base", "base"),
        ("query=SELECT * FROM told()", "base", "base"),
    ],
)
def test_a_source_is_safe_behind_views_partitions_and_other_spellings(
    url: str, source: str, target: str, kept: str, how: str
) -> None:
    _run(url, FAMILY)
    with pytest.raises(FileError, match="an input is never overwritten"):
        run_file(RECIPE, f"{url}?{source}", f"{url}?table={target}", **{how: True})  # type: ignore[arg-type]
    assert read(url, table=kept).rows() == [("ann", "f")]


@pytest.mark.parametrize("name", ["whole", "part", "parent", "child"])
def test_a_table_with_relatives_is_not_replaced(url: str, name: str) -> None:
    _run(url, FAMILY)
    with pytest.raises(FileError, match="would take rows from other tables"):
        write(FRAME, url, table=name, replace=True)
    assert read(url, table=name).rows() == [("ann", "f")]


def test_a_materialized_view_is_read_and_not_written(url: str) -> None:
    _run(url, FAMILY)
    _run(url, "CREATE MATERIALIZED VIEW frozen AS TABLE base")
    assert read(url, table="frozen").rows() == [("ann", "f")]
    for name in ("frozen", "seen"):
        with pytest.raises(FileError, match=f'PostgreSQL says: "{name}" is not a table'):
            write(FRAME, url, table=name, replace=True)


@pytest.mark.parametrize("name", ["people.src", "people.main.src", "PEOPLE.main.SRC", "main.SRC"])
@pytest.mark.parametrize("replace", [False, True])
def test_a_duckdb_source_is_safe_under_every_spelling(
    tmp_path: Path, name: str, *, replace: bool
) -> None:
    path = tmp_path / "people.duckdb"
    write(FRAME, path, table="src", keep_order=True)
    with pytest.raises(FileError):
        run_file(
            RECIPE, f"duckdb:///{path}", f"duckdb:///{path}?table={name}", replace_table=replace
        )
    assert_frame_equal(read(path, table="src"), FRAME)


@pytest.mark.parametrize("name", ["SRC", "main.src", "Src"])
def test_a_sqlite_source_is_safe_under_every_spelling(tmp_path: Path, name: str) -> None:
    path = tmp_path / "people.sqlite"
    write(FRAME, path, table="src", keep_order=True)
    with pytest.raises(FileError):
        run_file(RECIPE, f"sqlite:///{path}", f"sqlite:///{path}?table={name}", replace_table=True)
    assert_frame_equal(read(path, table="src"), FRAME)
