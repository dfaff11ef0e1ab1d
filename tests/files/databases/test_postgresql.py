from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import psycopg
import pytest
from polars.testing import assert_frame_equal

from microveil.app import run_file
from microveil.errors import ColumnError, FileError
from microveil.files import BatchWriter, read, write
from microveil.files.writing import Terms
from microveil.methods import Decompose
from microveil.privacy import KAnonymity
from microveil.recipes import Recipe
from microveil.release import Release
from microveil.tables import Roles

FRAME = pl.DataFrame({"x": [1, 2, 3], "s": ["a", None, ""]})


@pytest.fixture
def url(postgresql_url: str) -> Iterator[str]:
    yield postgresql_url
    _run(postgresql_url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    _run(postgresql_url, "DROP SCHEMA IF EXISTS survey CASCADE")


def _run(url: str, statements: str) -> None:
    with psycopg.connect(url) as connection:
        for statement in statements.split("; "):
            connection.execute(statement.encode())


def _interrupted(url: str) -> None:
    with BatchWriter(url, table="t", replace=True) as writer:
        writer.append(FRAME)
        raise KeyboardInterrupt


def test_every_type_comes_back(url: str, every_type: pl.DataFrame) -> None:
    write(every_type, f"{url}?table=t", keep_order=True)
    expected = every_type.cast({"category": pl.String, "enum": pl.String, "small": pl.Int64})
    assert_frame_equal(read(f"{url}?table=t"), expected)


def test_missing_and_empty_text_stay_apart(url: str) -> None:
    write(FRAME, url, table="t", keep_order=True)
    assert read(url, table="t")["s"].to_list() == ["a", None, ""]


def test_awkward_names_and_texts_are_safe(url: str) -> None:
    name = 'we"ird; drop table t'
    frame = pl.DataFrame({'a"b': ["\\N", "\\.", 'x"y', "l\nm", "'", "ü😀"], "select": range(6)})
    write(frame, url, table=name, keep_order=True)
    assert_frame_equal(read(url, table=name), frame)


def test_negative_durations_come_back(url: str) -> None:
    days = [dt.timedelta(days=-3, seconds=5), dt.timedelta(microseconds=-1), None]
    frame = pl.DataFrame({"x": [*days, dt.timedelta(days=900)]})
    write(frame, f"{url}?table=spans", keep_order=True)
    assert read(f"{url}?table=spans").equals(frame)


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        (pl.Series(["a\x00b", "c"]), "cannot hold the control characters in column 'x'"),
        (pl.Series([-800_000, 0]).cast(pl.Int32).cast(pl.Date), "the 1 dates before the year 1"),
        (pl.Series([3_000_000, 0]).cast(pl.Int32).cast(pl.Date), "or after 9999 in column 'x'"),
    ],
)
def test_cells_that_a_server_lacks_are_refused_by_the_name_of_their_column(
    url: str, cells: pl.Series, told: str
) -> None:
    with pytest.raises(FileError, match=told):
        write(cells.alias("x").to_frame(), f"{url}?table=lacking")


def test_a_table_is_replaced_whole(url: str) -> None:
    write(FRAME, url, table="t")
    write(FRAME.head(1).rename({"x": "y"}), url, table="t", replace=True)
    assert read(url).to_dict(as_series=False) == {"y": [1], "s": ["a"]}


def test_a_failed_write_leaves_the_old_table(url: str) -> None:
    write(FRAME, url, table="t")
    with pytest.raises(KeyboardInterrupt):
        _interrupted(url)
    assert read(url).height == 3


def test_a_refused_row_is_told_without_its_cell(url: str) -> None:
    _run(url, "CREATE TABLE t (s TEXT CHECK (length(s) < 3))")
    with pytest.raises(FileError, match="a rule of the table refuses the rows") as caught:
        write(pl.DataFrame({"s": ["secret cell"]}), url, table="t", append=True)
    assert "secret" not in str(caught.value)
    assert "postgresql://127.0.0.1" in str(caught.value)


def test_a_table_of_another_schema_is_read_and_written(url: str) -> None:
    _run(url, "CREATE SCHEMA survey")
    write(FRAME, f"{url}?table=survey.people", keep_order=True)
    assert_frame_equal(read(f"{url}?table=survey.people"), FRAME)
    assert_frame_equal(read(url), FRAME)
    write(FRAME, f"{url}?table=public.people", keep_order=True)
    assert_frame_equal(read(f"{url}?table=public.people"), FRAME)


def test_a_query_reads_and_only_reads(url: str) -> None:
    write(FRAME, url, table="t")
    assert read(url, query="SELECT sum(x) AS total FROM t;")["total"].item() == 6
    assert read(url, query="WITH a AS (SELECT 1 AS b) SELECT * FROM a").columns == ["b"]
    for query in (
        "DELETE FROM t",
        "WITH gone AS (DELETE FROM t RETURNING *) SELECT * FROM gone",
        "SELECT 1) AS a; DROP TABLE t; SELECT * FROM (SELECT 1",
    ):
        with pytest.raises(FileError):
            read(url, query=query)
    assert read(url, table="t").height == 3


def test_types_without_a_counterpart_stay_text(url: str) -> None:
    query = "SELECT '{1,2}'::int[] AS a, 1.25::numeric AS n, 'NaN'::float8 AS f, 3::smallint AS i"
    frame = read(url, query=query)
    assert frame.dtypes == [pl.String, pl.Float64, pl.Float64, pl.Int64]
    assert frame["n"].item() == 1.25


def test_an_answer_without_rows_keeps_its_types(url: str) -> None:
    frame = read(url, query="SELECT 1 AS a, 'x'::text AS b WHERE false")
    assert frame.schema == pl.Schema({"a": pl.Int64, "b": pl.String})


def test_mistakes_are_told_with_a_hint_and_without_the_password(url: str) -> None:
    write(FRAME, url, table="people")
    with pytest.raises(FileError, match="Did you mean 'people'") as caught:
        read(f"{url}?table=peopel")
    assert "not-a-real-secret" not in str(caught.value)
    with pytest.raises(ColumnError, match="No column 'y'"):
        read(url, columns=["y"])
    with pytest.raises(FileError, match='column "nothing" does not exist'):
        read(url, query="SELECT nothing FROM people")
    with pytest.raises(FileError, match="'a' occurs more than once"):
        read(url, query="SELECT 1 AS a, 2 AS a")


def test_a_server_that_is_not_there_is_told_without_the_password() -> None:
    with pytest.raises(FileError, match="cannot be reached") as caught:
        read("postgresql://annabel:not-a-real-secret@127.0.0.1:1/db?table=t")
    assert "not-a-real-secret" not in str(caught.value)
    assert "annabel" not in str(caught.value)


def test_a_table_that_others_need_is_not_dropped(url: str) -> None:
    write(FRAME, url, table="t")
    _run(url, "CREATE VIEW v AS SELECT x FROM t")
    with pytest.raises(FileError, match="such as views, depend on the table"):
        write(FRAME, url, table="t", replace=True)
    assert read(url, table="t").height == 3


def test_what_was_written_is_read_back_before_it_is_committed(
    url: str, every_type: pl.DataFrame
) -> None:
    assert write(every_type, url, table="t", terms=Terms(checked=True)).read_back
    assert read(url, table="t").height == 3


def test_a_table_is_touched_only_when_told(url: str) -> None:
    write(FRAME, url, table="t")
    with pytest.raises(FileError, match="already has a table 't'"):
        write(FRAME, url, table="t")
    write(FRAME, url, table="T")  # another table: a server tells small letters from large ones
    write(FRAME.select("s", "x"), url, table="t", append=True, terms=Terms(checked=True))
    assert read(url, table="t").height == 6
    with pytest.raises(FileError, match="it lacks 'z'"):
        write(FRAME.with_columns(z=1), url, table="t", append=True)


def test_a_release_is_written_to_a_server_and_never_over_its_source(url: str) -> None:
    write(pl.DataFrame({"sex": ["f", "f"], "ill": ["a", "b"]}), url, table="people")
    recipe = Recipe(
        roles=Roles(quasi_identifiers=["sex"], sensitive=["ill"]),
        steps=[Decompose(groups={"a": ["sex"], "b": ["ill"]})],
        require=[KAnonymity(k=2)],
    )
    other = url.replace("127.0.0.1", "localhost")
    for target in (f"{url}?table=people", f"{other}?table=public.people"):
        with pytest.raises(FileError, match="an input is never overwritten"):
            run_file(recipe, f"{url}?table=people", target, replace_table=True)
    done = run_file(recipe, f"{url}?table=people", f"{url}?table=released")
    assert all(report.read_back for report in done.written)
    joined = read(url, table="released").join(read(url, table="released_b"), on="link_id")
    assert sorted(joined["ill"]) == ["a", "b"]


def test_no_transaction_stands_idle_while_the_report_is_made(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, report = tmp_path / "in.csv", tmp_path / "r.json"
    write(pl.DataFrame({"sex": ["f", "m"] * 9, "ward": [4, 7] * 9}), source)
    make, idle = Release.report, []

    def report_and_look(self: Release, *args: Any, **options: Any) -> Path:
        with psycopg.connect(url) as connection:
            found = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'"
            ).fetchone()
        idle.append(found)
        return make(self, *args, **options)

    monkeypatch.setattr(Release, "report", report_and_look)
    keys = Roles(quasi_identifiers=["sex", "ward"])
    recipe = Recipe(roles=keys, require=[KAnonymity(k=2)])
    done = run_file(recipe, source, f"{url}?table=t", report=report)
    assert (done.holds, idle) == (True, [(0,)])
    assert read(url, table="t").height == 18
