from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from microveil.errors import FileError
from microveil.files import BatchWriter, read, write
from microveil.files.writing import Terms

FRAME = pl.DataFrame({"x": [1, 2, 3], "s": ["a", None, ""]})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "people.duckdb"


def _interrupted(path: Path) -> None:
    with BatchWriter(path, table="t", replace=True) as writer:
        writer.append(FRAME)
        raise KeyboardInterrupt


def test_a_url_names_the_file_and_the_table(path: Path) -> None:
    write(FRAME, f"duckdb:///{path}?table=t", keep_order=True)
    assert_frame_equal(read(f"duckdb:///{path}?table=t"), FRAME)
    assert_frame_equal(read(path), FRAME)


def test_awkward_names_are_quoted(path: Path) -> None:
    frame = pl.DataFrame({'a"b': [1], "select": ["x"]})
    write(frame, path, table='t"; drop table u')
    assert_frame_equal(read(path, table='t"; drop table u'), frame)


def test_a_table_is_replaced_whole_and_a_failed_write_changes_nothing(path: Path) -> None:
    write(FRAME, path, table="t")
    write(FRAME.head(2), path, table="t", replace=True)
    with pytest.raises(KeyboardInterrupt):
        _interrupted(path)
    assert read(path).height == 2


def test_a_failed_first_write_leaves_no_file(path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        _interrupted(path)
    assert list(path.parent.iterdir()) == []


def test_a_query_reads_and_only_reads(path: Path) -> None:
    write(FRAME, path, table="t")
    assert read(path, query="SELECT max(x) AS top FROM t")["top"].item() == 3
    other = path.with_name("other.csv")
    other.write_text("secret\n1\n")
    for query in (
        "DROP TABLE t",
        f"SELECT * FROM read_csv('{other}')",  # noqa: S608 - a path of the test's own
        f"COPY t TO '{other}'",
        "WITH a AS (SELECT 1) DELETE FROM t",
        "SELECT 1) ; DROP TABLE t; SELECT * FROM (SELECT 1",
    ):
        with pytest.raises(FileError):
            read(path, query=query)
    assert read(path).height == 3
    assert other.read_text() == "secret\n1\n"


def test_mistakes_are_told_without_cells(path: Path) -> None:
    write(FRAME.with_columns(s=pl.lit("secretcell")), path, table="people")
    with pytest.raises(FileError, match="Did you mean 'people'"):
        read(path, table="peopel")
    with pytest.raises(FileError, match="Binder Error"):
        read(path, query="SELECT y FROM people")
    with pytest.raises(FileError, match="a cell cannot be turned into its column's type") as caught:
        read(path, query="SELECT s::int FROM people")
    assert "secretcell" not in str(caught.value)


@pytest.mark.parametrize("n_rows", [122_879, 122_880, 122_881, 300_000])
def test_rows_beyond_a_row_group_are_found_again(path: Path, n_rows: int) -> None:
    frame = pl.DataFrame({"x": range(n_rows)})
    assert write(frame, path, table="t", terms=Terms(checked=True)).read_back
    assert read(path, table="t")["x"].sum() == n_rows * (n_rows - 1) // 2
    write(frame, path, table="t", append=True, terms=Terms(checked=True))
    write(frame, path, table="u", terms=Terms(checked=True))
    assert read(path, table="t").height == 2 * n_rows
    assert read(path, table="u")["x"].n_unique() == n_rows


def test_a_database_that_another_program_holds_says_so(path: Path) -> None:
    write(FRAME, path, table="t")
    holding = (
        "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('ok', flush=True); input()"
    )
    with subprocess.Popen(  # noqa: S603 - our own words
        [sys.executable, "-c", holding, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(FileError, match="another program has the database open"):
            write(FRAME, path, table="u")
        other.communicate("")
