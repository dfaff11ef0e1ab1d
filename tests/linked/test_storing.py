from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.linked.storing import database_url
from tests import postgresql
from tests.linked.synthesis.hospital import RECIPE, hospital


def release() -> mv.LinkedRelease:
    return mv.run_linked(mv.LinkedRecipe.parse(RECIPE), hospital(30), seed=1)


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_database_gets_all_tables_with_their_keys(kind: str, tmp_path: Path) -> None:
    target = tmp_path / f"out.{kind}"
    made = release()
    reports = made.write(target)
    assert len(reports) == 4
    back = mv.TableSet.read(target)
    assert set(back.tables) == set(made.data)
    for name, frame in made.data.items():
        assert back.tables[name].height == frame.height
    wanted = {str(link) for link in made.recipe.links} - {"labs.patient -> patients.id"}
    assert wanted <= {str(link) for link in back.propose_links()} | wanted


def test_foreign_keys_are_declared_in_sqlite(tmp_path: Path) -> None:
    release().write(tmp_path / "out.sqlite")
    with closing(sqlite3.connect(tmp_path / "out.sqlite")) as database:
        rows = database.execute("PRAGMA foreign_key_list(labs)").fetchall()
        assert {(row[2], row[3], row[4]) for row in rows} == {
            ("visits", "visit", "visit"),
            ("patients", "patient", "id"),
        }
        assert not database.execute("PRAGMA foreign_key_check").fetchall()
        (keys,) = database.execute("SELECT count(*) FROM patients WHERE id IS NULL").fetchone()
        assert keys == 0


def test_times_with_a_zone_stay_the_same_instants(tmp_path: Path) -> None:
    """A file shows the zone; SQLite, which has none, shows UTC."""
    at = (
        pl.Series(["2024-07-01T09:00:00"] * 2)
        .str.to_datetime()
        .dt.replace_time_zone("Europe/Madrid")
    )
    tables = {
        "people": {"id": [1, 2]},
        "visits": pl.DataFrame({"person": [1, 2], "at": at}),
    }
    recipe = mv.LinkedRecipe.parse(
        {
            "tables": {"people": {}, "visits": {"roles": {"insensitive": ["at"]}}},
            "links": ["visits.person -> people.id"],
            "people": {"table": "people", "key": "id"},
        }
    )
    made = mv.run_linked(recipe, tables, seed=1)
    made.write(tmp_path / "out")
    made.write(tmp_path / "out.sqlite")
    assert (tmp_path / "out" / "visits.csv").read_text().count(
        "2024-07-01T09:00:00.000000+0200"
    ) == 2
    with closing(sqlite3.connect(tmp_path / "out.sqlite")) as database:
        rows = database.execute("SELECT at FROM visits").fetchall()
    assert rows == [("2024-07-01T07:00:00.000000+00:00",)] * 2


def test_a_table_that_is_there_keeps_everything_out(tmp_path: Path) -> None:
    target = tmp_path / "out.sqlite"
    with closing(sqlite3.connect(target)) as database:
        database.execute("CREATE TABLE labs (x)")
        database.commit()
    with pytest.raises(mv.FileError, match="already has a table"):
        release().write(target)
    assert set(mv.TableSet.read(target).tables) == {"labs"}


@pytest.mark.slow
def test_a_server_enforces_the_keys() -> None:
    programs = postgresql.binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed")
    with postgresql.running(programs) as url:
        made = release()
        made.write(url)
        assert set(mv.TableSet.read(url).tables) == set(made.data)
        import psycopg

        with psycopg.connect(url) as server, pytest.raises(psycopg.errors.ForeignKeyViolation):
            server.execute("DELETE FROM patients")


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("out", None),
        ("a/b.sqlite", "sqlite:///a/b.sqlite"),
        ("x.duckdb", "duckdb:///x.duckdb"),
        ("postgresql://host/db", "postgresql://host/db"),
    ],
)
def test_a_target_is_a_folder_or_a_database(target: str, expected: str | None) -> None:
    assert database_url(target) == expected
