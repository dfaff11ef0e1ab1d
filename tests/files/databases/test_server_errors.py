"""What a server refuses is said in words: what is missing, and never a cell."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl
import psycopg
import pytest

from microveil.errors import FileError
from microveil.files import read, write

FRAME = pl.DataFrame({"x": [1, 2]})


@pytest.fixture
def url(postgresql_url: str) -> Iterator[str]:
    _run(postgresql_url, "CREATE ROLE guest LOGIN")
    yield postgresql_url
    _run(postgresql_url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    _run(postgresql_url, "DROP OWNED BY guest; DROP ROLE guest")


def _run(url: str, statements: str) -> None:
    with psycopg.connect(url) as connection:
        for statement in statements.split("; "):
            connection.execute(statement.encode())


def test_what_a_user_may_not_do_is_named(url: str) -> None:
    write(FRAME, url, table="t")
    guest = url.replace("tester", "guest")
    with pytest.raises(FileError, match="may use no schema"):
        write(FRAME, guest, table="u")
    with pytest.raises(FileError, match="permission denied for schema public"):
        write(FRAME, guest, table="public.u")
    with pytest.raises(FileError, match="permission denied for schema public"):
        read(guest, query="SELECT * FROM public.t")
    with pytest.raises(FileError, match='schema "nowhere" does not exist'):
        write(FRAME, url, table="nowhere.t")
    _run(url, "GRANT USAGE ON SCHEMA public TO guest")
    with pytest.raises(FileError, match="permission denied for table t"):
        read(guest, table="t")
    with pytest.raises(FileError, match="conflicts with a system column name"):
        write(FRAME.rename({"x": "ctid"}), url, table="u")


def test_infinite_numbers_are_read(url: str) -> None:
    query = "SELECT 'Infinity'::numeric AS a, '-Infinity'::float8 AS b, NULL::float8 AS c"
    assert read(url, query=query).row(0) == (float("inf"), -float("inf"), None)


def test_a_query_that_is_no_sql_is_said_without_its_text(url: str) -> None:
    with pytest.raises(FileError, match="not valid SQL") as caught:
        read(url, query="SELECT 'secret' FROM FROM")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        *("'infinity'::date", "'0044-03-15 BC'::date", "'20000-01-01'::date"),
        *("'infinity'::timestamp", "'-infinity'::timestamptz", "'0044-03-15 BC'::timestamp"),
        *("'290000-01-01'::timestamp", "'290000-01-01'::timestamptz", "'24:00'::time"),
        *("'300000 years'::interval", "'1e400'::numeric", "'NaN'::numeric(5, 2)"),
    ],
)
def test_a_value_without_a_counterpart_is_said_with_its_column(url: str, value: str) -> None:
    with pytest.raises(FileError, match="column 'born' holds values") as caught:
        read(url, query=f"SELECT 1 AS x, {value} AS born")
    assert "44" not in str(caught.value).replace("5432", "")[60:]


def test_a_rule_of_the_table_is_said_without_the_row(url: str) -> None:
    _run(url, "CREATE TABLE t (x bigint CONSTRAINT small CHECK (x < 2))")
    with pytest.raises(FileError, match=r"a rule of the table refuses the rows \(small\)"):
        write(FRAME, url, table="t", append=True)


def test_a_read_only_server_says_so(url: str) -> None:
    with pytest.raises(FileError, match="read-only"):
        write(FRAME, f"{url}?options=-cdefault_transaction_read_only%3Don", table="u")
