"""What was written comes back exactly, or is refused by name; nothing in between."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing.parametric import column, dataframes

from microveil.errors import FileError
from microveil.files import BatchWriter, read
from microveil.files.formats import format_of
from microveil.files.placing import Placing, Sink
from microveil.files.reading_back import Fingerprint, fingerprint
from microveil.files.writing import Terms, holds_exactly, write

CHECKED = Terms(checked=True)
FILES = ["t.csv", "t.tsv", "t.csv.gz", "t.parquet", "t.xlsx", "t.jsonl", "t.sav", "t.dta"]
DATABASES = ["t.sqlite", "t.duckdb"]
ALL = [*FILES, *DATABASES]


def _table(name: str) -> dict[str, Any]:
    return {"table": "t"} if name in DATABASES else {}


@pytest.mark.parametrize("name", ALL)
def test_every_type_is_read_back(name: str, every_type: pl.DataFrame, tmp_path: Path) -> None:
    report = write(every_type, tmp_path / name, terms=CHECKED, **_table(name))
    assert report.read_back
    assert (report.sha256 is None) == (name in DATABASES)


@pytest.mark.parametrize("name", ALL)
def test_text_that_reads_like_something_else_stays_itself(name: str, tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "number": ["10.1", "10.10", "1e3", "1000"],
            "zero": ["01", "1", "001", "-0"],
            "day": ["2020-01-01", "2020-01-01T00:00:00", "x", "2020-1-1"],
            "truth": ["true", "True", "false", "null"],
            "blank": ["a", " a", "a\u00a0", "A"],
            "null": ["NA", "NaN", "None", "inf"],
        }
    )
    assert write(frame, tmp_path / name, terms=CHECKED, **_table(name)).read_back


def test_options_of_csv_are_read_back_too(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": [1.5, 0.1 + 0.2, 1e300], "s": ["é;b", "1,5", '"']})
    for options in ({"separator": ";", "decimal": ","}, {"encoding": "utf-8-sig"},
                    {"encoding": "iso-8859-1"}):  # fmt: skip
        assert write(frame, tmp_path / "t.csv", terms=CHECKED, **options).read_back  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx"])
def test_neutralised_names_and_cells_are_what_is_meant(name: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"@zip": ["=1", "a"], "note": ["-5", "+x"]})
    report = write(frame, tmp_path / name, terms=CHECKED)
    assert report.n_neutralized_names == 1
    assert "'@zip" in read(tmp_path / name).columns


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("t.sav", ["a\0b", "c"]),
        ("t.dta", ["a\0b", "c"]),
    ],
)
def test_what_a_format_cannot_hold_is_refused_and_leaves_nothing(
    name: str, cells: list[Any], tmp_path: Path
) -> None:
    frame = pl.DataFrame({"text": pl.Series(cells, dtype=pl.String)})
    with pytest.raises(FileError, match="cannot hold the control characters in column 'text'"):
        write(frame, tmp_path / name, terms=CHECKED)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["t.sav", "t.dta"])
def test_whole_numbers_beyond_floating_point_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="1 whole numbers beyond 9,007,199,254,740,992"):
        write(pl.DataFrame({"account": [2**53 + 1, 5]}), tmp_path / name)


def test_a_number_too_large_for_sqlite_is_refused_without_the_number(tmp_path: Path) -> None:
    frame = pl.DataFrame({"u": pl.Series([2**64 - 1], dtype=pl.UInt64)})
    with pytest.raises(FileError, match="'u'") as caught:
        write(frame, tmp_path / "t.sqlite", table="t")
    assert str(2**64 - 1) not in str(caught.value)


def test_a_lost_row_a_doubled_row_and_a_changed_cell_are_noticed() -> None:
    frame = pl.DataFrame({"a": [1, 2, 2], "b": ["x", "y", None]})
    meant = fingerprint([frame])
    assert meant == fingerprint([frame[2:], frame[:2].reverse()])
    assert meant != fingerprint([frame[:2]])
    assert meant != fingerprint([pl.concat([frame, frame])])
    assert meant != fingerprint([pl.concat([frame[:1], frame[:1], frame[1:2]])])
    swapped = frame.with_columns(b=pl.Series(["y", "x", None]))
    assert meant != fingerprint([swapped])
    assert meant.differing(fingerprint([swapped])) == ()  # each column alone holds the same
    other = frame.with_columns(b=pl.Series(["x", "y", ""]))
    assert meant.differing(fingerprint([other])) == ("b",)
    assert meant.differing(Fingerprint()) == ("a", "b")


def test_two_columns_that_swap_their_cells_are_noticed() -> None:
    frame = pl.DataFrame({"a": [1, 3], "b": [2, 4]})
    assert fingerprint([frame]) != fingerprint([frame.select(a="b", b="a")])


@pytest.mark.parametrize("name", ALL)
def test_a_writer_that_loses_a_row_releases_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = format_of(name)
    inner = known.sink
    assert inner is not None

    @contextmanager
    def losing(*arguments: Any) -> Iterator[Sink]:
        with inner(*arguments) as opened:
            yield Sink(lambda frame: opened.append(frame.head(-1)), opened.rows)

    monkeypatch.setitem(vars(known), "sink", losing)
    with pytest.raises(FileError, match="does not keep all records"):
        write(pl.DataFrame({"x": [1, 2, 3]}), tmp_path / name, terms=CHECKED, **_table(name))
    assert list(tmp_path.iterdir()) == []


TYPES = [
    pl.Boolean,
    pl.Int8,
    pl.Int64,
    pl.UInt32,
    pl.Float32,
    pl.Float64,
    pl.String,
    pl.Date,
    pl.Datetime("ms"),
    pl.Datetime("us", "Europe/Paris"),
    pl.Time,
    pl.Duration("us"),
    pl.Decimal(20, 3),
]


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=20)
@given(data=st.data())
def test_wild_tables_come_back_exactly_or_are_refused_by_name(name: str, data: Any) -> None:
    types = data.draw(st.lists(st.sampled_from(TYPES), min_size=1, max_size=3))
    columns = [column(f"c{i}", dtype=dtype, allow_null=True) for i, dtype in enumerate(types)]
    frame = data.draw(dataframes(columns, min_size=1, max_size=4))
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        try:
            report = write(frame, path, terms=CHECKED, **_table(name))
        except FileError as error:
            assert re.search(r"'c\d'|every cell is missing", str(error)), str(error)  # noqa: PT017
            assert list(Path(folder).iterdir()) == []
        else:
            assert report.read_back


def test_a_file_is_compared_with_a_frame(tmp_path: Path) -> None:
    frame = pl.DataFrame({"@zip": ["a", "=b"], "n": [1, 2]})
    for name in ("t.csv", "t.parquet", "t.xlsx"):
        write(frame, tmp_path / name)
        known = format_of(name)
        assert holds_exactly(frame, tmp_path / name, known)
        assert not holds_exactly(frame.head(1), tmp_path / name, known)
        assert not holds_exactly(frame.with_columns(n=pl.lit(1)), tmp_path / name, known)


def test_a_finished_file_is_read_under_its_old_names_and_types(tmp_path: Path) -> None:
    sizes = pl.Enum(["small", "=large"])
    frame = pl.DataFrame({"@size": pl.Series(["small", "=large"], dtype=sizes), "n": [1, 2]})
    with Placing() as placing:
        with BatchWriter(tmp_path / "t.csv", terms=Terms(placing, checked=True)) as writer:
            writer.append(frame.cast({"n": pl.Int8}))
        back = writer.read_back().collect()
        assert back.columns == ["@size", "n"]
        assert back.schema["n"] == pl.Int8
        assert back["@size"].cast(pl.String).to_list() == ["small", "=large"]
        assert back.sort("@size")["n"].to_list() == [1, 2]  # in the order of the categories
