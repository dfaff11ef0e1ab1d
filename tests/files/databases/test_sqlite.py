from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from microveil.errors import FileError
from microveil.files import BatchWriter, read, write
from microveil.files.databases import sqlite
from microveil.files.writing import Terms

FRAME = pl.DataFrame({"x": [1, 2, 3], "s": ["a", None, ""]})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "people.db"


def _run(path: Path, statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statements)


def _interrupted(path: Path) -> None:
    with BatchWriter(path, table="t", replace=True) as writer:
        writer.append(FRAME)
        raise KeyboardInterrupt


def test_a_url_names_the_file_and_the_table(path: Path) -> None:
    write(FRAME, f"sqlite:///{path}?table=t", keep_order=True)
    assert_frame_equal(read(f"sqlite:///{path}?table=t"), FRAME)
    assert_frame_equal(read(path), FRAME)


def test_awkward_names_are_quoted(path: Path) -> None:
    frame = pl.DataFrame({'a"b': [1], "select": ["x"]})
    write(frame, path, table='t"; drop table u')
    assert_frame_equal(read(path, table='t"; drop table u'), frame)


def test_a_failed_write_leaves_the_old_table(path: Path) -> None:
    write(FRAME, path, table="t")
    with pytest.raises(KeyboardInterrupt):
        _interrupted(path)
    assert read(path).height == 3


def test_a_failed_first_write_leaves_no_file(path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        _interrupted(path)
    assert list(path.parent.iterdir()) == []


def test_other_tables_stay(path: Path) -> None:
    write(FRAME, path, table="one")
    write(FRAME, path, table="two")
    write(FRAME.head(1), path, table="one", replace=True)
    assert read(path, table="two").height == 3
    with pytest.raises(FileError, match=r"Name a table .* Tables: 'one', 'two'"):
        read(path)


def test_columns_of_mixed_types_become_text(path: Path) -> None:
    _run(path, "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 1), ('x', 2.5), (NULL, NULL)")
    frame = read(path)
    assert frame.to_dict(as_series=False) == {"a": ["1", "x", None], "b": [1.0, 2.5, None]}


def test_binary_cells_are_refused(path: Path) -> None:
    _run(path, "CREATE TABLE t (a); INSERT INTO t VALUES (x'00ff')")
    with pytest.raises(FileError, match="'a' holds binary cells"):
        read(path)


@pytest.mark.parametrize(
    "query", ["DELETE FROM t", "PRAGMA writable_schema = 1", "WITH a AS (SELECT 1) DELETE FROM t"]
)
def test_a_query_cannot_write(query: str, path: Path) -> None:
    write(FRAME, path, table="t")
    with pytest.raises(FileError):
        read(path, query=query)
    assert read(path).height == 3


def test_a_query_is_read(path: Path) -> None:
    write(FRAME, path, table="t")
    assert read(path, query="SELECT max(x) AS top FROM t")["top"].item() == 3
    query = "SELECT count(*) AS n FROM t"
    assert read(f"sqlite:///{path}?query={query}")["n"].item() == 3


def test_mistakes_are_told(path: Path) -> None:
    with pytest.raises(FileError, match="No file"):
        read(path, table="t")
    write(FRAME, path, table="people")
    with pytest.raises(FileError, match="Did you mean 'people'"):
        read(path, table="peopel")
    with pytest.raises(FileError, match="no such column: y"):
        read(path, query="SELECT y FROM people")
    with pytest.raises(FileError, match="a table or a query, not both"):
        read(path, table="people", query="SELECT 1")
    with pytest.raises(FileError, match=r"Name the table of .* to write"):
        write(FRAME, path)
    path.write_bytes(b"no database at all, but long enough to be read as one")
    with pytest.raises(FileError, match="file is not a database"):
        read(path)


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_a_database_whose_writer_was_killed_is_read_as_it_was_before(
    tmp_path: Path, mode: str
) -> None:
    path = tmp_path / "a.sqlite"
    write(pl.DataFrame({"x": [1, 2]}), path, table="t")
    killed = (
        "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
        "c.execute('PRAGMA journal_mode=' + sys.argv[2]); c.execute('PRAGMA cache_size=1'); "
        "c.execute('BEGIN IMMEDIATE'); c.execute('UPDATE t SET x = 9'); "
        "c.executemany('INSERT INTO t VALUES (?)', [(i,) for i in range(50000)]); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", killed, str(path), mode], check=False)  # noqa: S603 - our own words
    assert sorted(read(path, table="t")["x"]) == [1, 2]
    write(pl.DataFrame({"x": [3]}), path, table="u")
    assert read(path, table="u")["x"].item() == 3


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ("(123.45), (1.5)", pl.Decimal(5, 2)),
        ("(123456), (1)", pl.Int64),
        ("(123456.5), (1), (NULL)", pl.Float64),
        ("(999.999), (1.5)", pl.Float64),
        ("(9e999), (-1.5)", pl.Float64),
    ],
)
def test_numbers_with_more_digits_than_declared_are_read_as_they_are(
    cells: str, kind: pl.DataType, path: Path
) -> None:
    _run(path, f"CREATE TABLE t (x DECIMAL(5,2)); INSERT INTO t VALUES {cells};")  # noqa: S608  cells of this test
    with closing(sqlite3.connect(path)) as connection:
        stored = [row[0] for row in connection.execute("SELECT x FROM t")]
    found = read(path)["x"]
    assert found.dtype == kind
    assert [None if one is None else float(one) for one in found] == stored


def test_a_decimal_that_sqlite_rounds_up_by_a_digit_is_refused(path: Path) -> None:
    cells = pl.Series("x", ["99999999999999999.999", "1.5"]).cast(pl.Decimal(20, 3))
    with pytest.raises(FileError, match="does not hold column 'x' exactly"):
        write(cells.to_frame(), path, table="t", terms=Terms(checked=True))


def test_a_locked_database_is_named_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0)
    path = tmp_path / "busy.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE t (a)")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(FileError, match="another program is writing to the database"):
            read(f"sqlite:///{path}?table=t")
