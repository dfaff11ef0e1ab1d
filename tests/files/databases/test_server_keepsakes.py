"""A table that is replaced passes on owner, grants and comments, and says what it does not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import psycopg
import pytest

from microveil.errors import FileError
from microveil.files import read, write

FRAME = pl.DataFrame({"x": [1, 2], "s": ["a", "b"]})
RIGHTS = (
    "SELECT grantee, privilege_type, is_grantable FROM information_schema.role_table_grants "
    "WHERE table_name = 't' AND grantee <> 'tester' ORDER BY 1, 2"
)


@pytest.fixture
def url(postgresql_url: str) -> Iterator[str]:
    _run(postgresql_url, "CREATE ROLE reader; CREATE ROLE keeper")
    yield postgresql_url
    _run(postgresql_url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    _run(postgresql_url, "DROP OWNED BY reader, keeper; DROP ROLE reader; DROP ROLE keeper")


def _run(url: str, statements: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as connection:
        for statement in statements.split("; "):
            cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def test_grants_comments_and_owner_stay(url: str) -> None:
    write(FRAME, url, table="t")
    _run(
        url,
        "GRANT SELECT ON t TO reader WITH GRANT OPTION; GRANT UPDATE (s) ON t TO reader; "
        "COMMENT ON TABLE t IS 'people''s table'; COMMENT ON COLUMN t.s IS 'letter'; "
        "COMMENT ON COLUMN t.x IS 'gone'; ALTER TABLE t OWNER TO keeper",
    )
    before = _run(url, RIGHTS)
    report = write(FRAME.select("s"), url, table="t", replace=True)
    assert _run(url, RIGHTS) == before
    assert ("reader", "SELECT", "YES") in before
    rights = "SELECT has_column_privilege('reader', 't', 's', 'UPDATE')"
    assert _run(url, rights) == [(True,)]
    said = "SELECT obj_description('t'::regclass), col_description('t'::regclass, 1)"
    assert _run(url, said) == [("people's table", "letter")]
    assert _run(url, "SELECT tableowner FROM pg_tables WHERE tablename = 't'") == [("keeper",)]
    assert report.changed == ()


def test_what_every_new_table_is_given_is_not_given_to_one_that_lacked_it(url: str) -> None:
    write(FRAME, url, table="t")
    _run(url, "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO reader")
    write(FRAME, url, table="t", replace=True)
    assert _run(url, RIGHTS.replace("'tester'", "'keeper'")).count(("reader", "SELECT", "NO")) == 0
    _run(url, "ALTER DEFAULT PRIVILEGES REVOKE SELECT ON TABLES FROM reader")


def test_indexes_and_triggers_that_go_are_listed(url: str, tmp_path: Path) -> None:
    make = "CREATE INDEX i ON t (x)"
    write(FRAME, url, table="t")
    _run(url, make)
    assert write(FRAME, url, table="t", replace=True).changed == (
        "The table that was replaced took with it: 1 index.",
    )
    import sqlite3

    file = tmp_path / "a.sqlite"
    write(FRAME, file, table="t")
    with sqlite3.connect(file) as connection:
        connection.execute(make)
    connection.close()
    assert "1 index" in write(FRAME, file, table="t", replace=True).changed[0]


def test_defaults_and_rules_of_columns_that_go_are_listed(url: str) -> None:
    _run(
        url,
        "CREATE TABLE t (x int GENERATED ALWAYS AS IDENTITY, s text NOT NULL DEFAULT 'a'); "
        "CREATE PUBLICATION shared FOR TABLE t",
    )
    (note,) = write(FRAME, url, table="t", replace=True).changed
    assert note.endswith("2 not-null columns, 2 default or generated columns, 1 publication.")
    _run(url, "DROP PUBLICATION shared")


def test_a_table_with_row_security_is_not_replaced(url: str) -> None:
    write(FRAME, url, table="t")
    _run(url, "ALTER TABLE t ENABLE ROW LEVEL SECURITY")
    with pytest.raises(FileError, match="has row security"):
        write(FRAME, url, table="t", replace=True)
    assert read(url, table="t").height == 2


def test_comments_of_a_duckdb_table_stay(tmp_path: Path) -> None:
    import duckdb

    file = tmp_path / "a.duckdb"
    write(FRAME, file, table="t")
    with duckdb.connect(str(file)) as connection:
        connection.execute("COMMENT ON TABLE t IS 'it''s'")
        connection.execute("COMMENT ON COLUMN t.s IS 'letter'")
    write(FRAME, file, table="t", replace=True)
    with duckdb.connect(str(file)) as connection:
        said = connection.execute("SELECT comment FROM duckdb_tables()").fetchall()
        columns = connection.execute("SELECT comment FROM duckdb_columns()").fetchall()
    assert said == [("it's",)]
    assert ("letter",) in columns
