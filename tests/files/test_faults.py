"""Bad input ends in one clear sentence without a cell: files, addresses, YAML."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.files import read, write
from microveil.files.databases.address import Address, is_url, without_password

FRAME = pl.DataFrame({"x": range(200), "s": [f"SECRET{n}" for n in range(200)]})


def test_a_path_into_a_number_is_told() -> None:
    recipe = mv.Recipe.from_yaml("steps: [{method: suppress_records, k: 5}]")
    with pytest.raises(mv.InputError, match=r"nothing at 'steps\.0\.k\.x\.y'"):
        recipe.with_values({"steps.0.k.x.y": 1})


PASSWORDS = [
    "PASS/WORD",
    "PASS#WORD",
    "PASS?WORD",
    "PASS@WORD",
    "PASS[WORD",
    "PASS]WORD",
    "PA:WORD",
    "PASS?x=WORD",
    "PASSWORD?x=1",
]


@pytest.mark.parametrize("password", PASSWORDS)
def test_a_password_of_any_signs_is_taken_and_never_shown(password: str) -> None:
    url = f"postgresql://ann:{password}@127.0.0.1:1/db?table=t"
    address = Address.of(url, None, None, "postgresql")
    assert address.shown == "postgresql://127.0.0.1:1/db"
    assert address.table == "t"
    from urllib.parse import unquote, urlsplit

    parts = urlsplit(address.database)
    assert unquote(parts.password or "") == password
    assert (parts.hostname, parts.port, parts.path) == ("127.0.0.1", 1, "/db")
    assert "WORD" not in address.shown + repr(address) + without_password(url)
    for call in (lambda: read(url), lambda: write(FRAME, url)):
        with pytest.raises(mv.FileError) as caught:
            call()
        assert "WORD" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql:/ann:PASSWORD@host/db?table=t",
        "postgres:ann:PASSWORD@host/db",
        "mysql://ann:PASSWORD@host/db",
        "mysql:/ann:PASSWORD@host/db",
        "postgressql:/ann:PASSWORD@host/db.csvv",
        "postgresql://ann:PASSWORD@[host/db?table=t",
        "postgresql://ann:PASSWORD@host:port/db?table=t",
    ],
)
def test_a_mistyped_address_does_not_show_its_password(url: str, tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    pl.DataFrame({"sex": ["f", "f"]}).write_csv(source)
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["sex"]))
    for call in (
        lambda: read(url),
        lambda: write(FRAME, url),
        lambda: mv.run_file(recipe, source, url),
        lambda: mv.run_file(recipe, url, tmp_path / "out.csv"),
    ):
        with pytest.raises(mv.FileError) as caught:
            call()
        assert "PASSWORD" not in str(caught.value)


def test_one_slash_is_told(tmp_path: Path) -> None:
    with pytest.raises(mv.FileError, match="starts with 'sqlite://', with two slashes"):
        is_url("sqlite:/people.db")
    assert not is_url(str(tmp_path / "a:b.csv"))


def _database(path: Path, *statements: str) -> Path:
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
    return path


@pytest.mark.parametrize(
    "declared",
    ["DECIMAL(10)", "DECIMAL", "DECIMAL(99,2)", "DECIMAL(2,9)", "DECIMAL(a,b)", "DECIMAL(0,0)",
     "DECIMAL(10,2) UNSIGNED", "DECIMAL(3,1)", "BOOLEAN", "INTERVAL", "TIME", "DATE", "NUMERIC(5"],
)  # fmt: skip
def test_odd_declared_types_of_sqlite_are_read(declared: str, tmp_path: Path) -> None:
    path = _database(
        tmp_path / "odd.db",
        f'CREATE TABLE t (a "{declared}", b "{declared}", c "{declared}")',
        "INSERT INTO t VALUES (1.25, NULL, 'x'), (12345.5, NULL, 2)",
    )
    frame = read(path)
    assert frame["a"].cast(pl.Float64).to_list() == [1.25, 12345.5]
    assert frame["b"].null_count() == 2
    assert frame["c"].to_list() == ["x", "2"]


def test_a_damaged_text_cell_of_sqlite_is_not_quoted(tmp_path: Path) -> None:
    path = _database(
        tmp_path / "bad.db",
        "CREATE TABLE t (s TEXT)",
        "INSERT INTO t VALUES (CAST(x'534543524554ff' AS TEXT))",
    )
    with pytest.raises(mv.FileError, match="is not UTF-8") as caught:
        read(path)
    assert "SECRET" not in str(caught.value)


def _damaged(raw: bytes, rng: random.Random) -> bytes:
    changed = bytearray(raw)
    kind = rng.choice(["cut", "flip", "zero"])
    if kind == "cut":
        return bytes(changed[: rng.randrange(4, len(changed))])
    if kind == "flip":
        for _ in range(20):
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        return bytes(changed)
    start = rng.randrange(len(changed))
    changed[start : start + 200] = bytes(len(changed[start : start + 200]))
    return bytes(changed)


@pytest.mark.parametrize("name", ["t.parquet", "t.sav", "t.dta", "t.xlsx", "t.csv.gz", "t.db"])
def test_damaged_files_are_read_or_told_without_a_cell(name: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {"table": "t"} if name == "t.db" else {}
    write(FRAME, tmp_path / name, **options)
    raw, rng = (tmp_path / name).read_bytes(), random.Random(name)
    for _ in range(25):
        (tmp_path / name).write_bytes(_damaged(raw, rng))
        try:
            read(tmp_path / name, **options)
        except mv.MicroveilError as error:
            assert "SECRET" not in str(error)  # noqa: PT017 - most damage is harmless


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_a_damaged_file_is_told_in_parts_too(suffix: str, tmp_path: Path) -> None:
    source = tmp_path / f"in.{suffix}"
    write(pl.DataFrame({"sex": ["f", "m"] * 5000}), source)
    raw = bytearray(source.read_bytes())
    raw[20:60] = b"\xff" * 40
    source.write_bytes(raw)
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["sex"]))
    try:
        mv.run_file(recipe, source, tmp_path / "out.csv", in_parts=True)
    except mv.MicroveilError as error:
        assert error.exit_code == 2  # noqa: PT017 - CSV with odd bytes may be readable


def test_numbers_of_128_bits_are_refused_where_they_have_no_place(tmp_path: Path) -> None:
    wide = pl.DataFrame({"x": pl.Series([2**100], dtype=pl.Int128)})
    with pytest.raises(mv.FileError, match="'x': its whole numbers have 128 bits"):
        write(wide, tmp_path / "t.parquet")
    with pytest.raises(mv.FileError, match="'x': its whole numbers have 128 bits"):
        write(wide, tmp_path / "t.duckdb", table="t")
    write(wide, tmp_path / "t.csv")
    assert [item.name for item in tmp_path.iterdir()] == ["t.csv"]


@pytest.mark.parametrize("cells", [[1, "SECRET", 2.5, [1]], [2**70, -1, "SECRET"]])
def test_a_column_of_mixed_cells_is_named_and_not_quoted(cells: list[Any]) -> None:
    with pytest.raises(mv.ColumnError, match="Column 'x' mixes types") as caught:
        mv.Table({"x": cells, "fine": [1] * len(cells)})
    assert "SECRET" not in str(caught.value)
    with pytest.raises(mv.ColumnError, match="one length"):
        mv.Table({"x": [1], "y": [1, 2]})


@pytest.mark.parametrize("url", ["postgresql://ann:123?x=WORD@host/db", "postgresql://7?x=WORD@h"])
def test_an_address_that_can_be_read_in_two_ways_is_not_shown(url: str) -> None:
    assert without_password(url) == "postgresql://…"


def test_a_damaged_name_in_a_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "d.db"
    write(FRAME.rename({"s": "SECRET"}), path, table="t")
    path.write_bytes(path.read_bytes().replace(b'"SECRET"', b'"SEC\xffET"'))
    with pytest.raises(mv.FileError, match="not UTF-8"):
        read(path, table="t")
