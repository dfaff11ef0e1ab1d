from __future__ import annotations

import pytest

from microveil.errors import FileError
from microveil.files.databases.address import Address, quoted_name, without_password


def test_a_password_is_never_shown() -> None:
    url = "postgresql://ann:pass%40word@host:5433/db?table=s.t&sslmode=require&password=other"
    address = Address.of(url, None, None, "postgresql")
    for text in (address.shown, repr(address), without_password(url)):
        assert "word" not in text
        assert "ann" not in text
        assert "other" not in text
    assert address.shown == "postgresql://host:5433/db"
    assert address.table == "s.t"
    assert "pass%40word" in address.database
    assert "sslmode=require" in address.database
    assert "table" not in address.database


@pytest.mark.parametrize(
    ("url", "database"),
    [
        ("sqlite:///data/people.db?table=t", "data/people.db"),
        ("sqlite:////srv/people.db?table=t", "/srv/people.db"),
        ("duckdb:///a%20b.duckdb?table=t", "a b.duckdb"),
    ],
)
def test_three_slashes_are_here_and_four_the_root(url: str, database: str) -> None:
    assert Address.of(url, None, None, "").database == database


@pytest.mark.parametrize("query", ["drop table t", "insert into t values (1)", "", "selects"])
def test_a_query_must_begin_as_a_read(query: str) -> None:
    with pytest.raises(FileError, match="must only read"):
        Address.of("x.db", None, query, "sqlite")


@pytest.mark.parametrize(
    "query",
    ["SELECT 1", "-- why\n with a as (select 1) select * from a", "(select 1)", "values (1)"],
)
def test_reads_pass(query: str) -> None:
    assert Address.of("x.db", None, query, "sqlite").query == query


def test_an_unknown_kind_of_address_lists_the_known() -> None:
    with pytest.raises(FileError, match="Did you mean 'postgresql'"):
        Address.of("postgressql://h/d", None, None, "")


def test_a_zero_character_is_no_name() -> None:
    with pytest.raises(FileError, match="zero character"):
        quoted_name("a\0b")
