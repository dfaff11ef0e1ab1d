from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from microveil.errors import ColumnError, FileError
from microveil.files import read, write


def _read(folder: Path, raw: bytes, name: str = "t.csv", **options: Any) -> pl.DataFrame:
    path = folder / name
    path.write_bytes(raw)
    return read(path, **options)


def _message(folder: Path, raw: bytes, **options: Any) -> str:
    with pytest.raises(FileError) as caught:
        _read(folder, raw, **options)
    return str(caught.value)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found_out(separator: str, tmp_path: Path) -> None:
    raw = f"a{separator}b\n1{separator}x, y; z\n2{separator}w\n"
    if separator in ",;":
        raw = raw.replace("x, y; z", '"x, y; z"')
    assert _read(tmp_path, raw.encode()).to_dict(as_series=False) == {
        "a": [1, 2],
        "b": ["x, y; z", "w"],
    }


def test_a_separator_can_be_said(tmp_path: Path) -> None:
    assert _read(tmp_path, b"a,b~c\n1,2~3\n", separator="~").columns == ["a,b", "c"]
    assert "one plain character" in _message(tmp_path, b"a,b\n1,2\n", separator="ab")


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "windows-1252", "cp1251"]
)
def test_the_encoding_is_found_out(encoding: str, tmp_path: Path) -> None:
    name, town = ("Иванов", "Москва") if encoding == "cp1251" else ("Müller", "Orléans")
    frame = _read(tmp_path, f"name;town\n{name};{town}\n".encode(encoding))
    assert frame.row(0) == (name, town)


def test_a_late_foreign_letter_changes_the_encoding(tmp_path: Path) -> None:
    raw = b"name;x\n" + b"plain;1\n" * 50_000 + "Müller;2\n".encode("windows-1252")
    assert _read(tmp_path, raw)["name"][-1] == "Müller"


def test_a_wrong_encoding_names_itself_and_the_line(tmp_path: Path) -> None:
    raw = "name\nplain\nMüller\n".encode("windows-1252")
    message = _message(tmp_path, raw, encoding="utf-8")
    assert "is not in utf-8" in message
    assert "line 3" in message
    assert "encoding='windows-1252'" in message
    assert "ller" not in message
    assert "Unknown encoding 'klingon'" in _message(tmp_path, raw, encoding="klingon")


@pytest.mark.parametrize(
    ("raw", "cells"),
    [
        (b"a;b\n1,5;x\n-2,25;y\n3;z\n", [1.5, -2.25, 3.0]),
        (b"a\tb\n1,5\tx\n,5\ty\n", [1.5, 0.5]),
        (b"a;b\n1.5;x\n2;y\n", [1.5, 2.0]),
        (b'a,b\n"1,5",x\n"2,5",y\n', ["1,5", "2,5"]),
        (b"a;b\n1,5;2.5\n2,5;3.5\n", ["1,5", "2,5"]),
    ],
    ids=["semicolon", "tab", "point", "commas separate", "beside points"],
)
def test_the_decimal_mark_is_found_out(raw: bytes, cells: list[Any], tmp_path: Path) -> None:
    assert _read(tmp_path, raw)["a"].to_list() == cells


def test_the_decimal_mark_can_be_said(tmp_path: Path) -> None:
    assert _read(tmp_path, b'a,b\n"1,5",x\n', decimal=",")["a"].to_list() == [1.5]
    assert _read(tmp_path, b"a;b\n1,5;x\n", decimal=".")["a"].to_list() == ["1,5"]


@pytest.mark.parametrize(
    "cells",
    [
        ["01234", "99999"],
        ["+4912345", "+15"],
        ["12345678901234567890", "1"],
        ["00", "1"],
        ["1.5", "01.5"],
        ["31/12/2020", "01/01/2021"],
        ["2020-02-30", "2020-01-01"],
        ["12:30", "08:15"],
        ["1_000", "2"],
    ],
)
def test_text_that_a_number_or_date_would_change_stays_text(
    cells: list[str], tmp_path: Path
) -> None:
    raw = "a,b\n" + "".join(f"{cell},1\n" for cell in cells)
    assert _read(tmp_path, raw.encode())["a"].to_list() == cells


def test_types_are_judged_over_the_whole_file(tmp_path: Path) -> None:
    raw = b"a,b\n" + b"1,2\n" * 20_000 + b"x,2.5\n"
    frame = _read(tmp_path, raw)
    assert frame.dtypes == [pl.String, pl.Float64]
    assert frame["a"][-1] == "x"


def test_iso_dates_become_dates_unless_told_otherwise(tmp_path: Path) -> None:
    raw = b"d,t,z\n2020-01-31,2020-01-31 10:00,2020-01-31T10:00:00+02:00\n,,\n"
    frame = _read(tmp_path, raw)
    assert frame.dtypes == [pl.Date, pl.Datetime("us"), pl.Datetime("us", "UTC")]
    assert frame["z"][0].hour == 8
    assert _read(tmp_path, raw, dates=False).dtypes == [pl.String] * 3


def test_types_can_be_said(tmp_path: Path) -> None:
    frame = _read(tmp_path, b"a,b,c\n1,2,3\n", types={"a": "text", "b": pl.Float32, "c": "number"})
    assert frame.dtypes == [pl.String, pl.Float32, pl.Float64]
    message = _message(tmp_path, b"a\nsecretcell\n2\n", types={"a": "integer"})
    assert "1 of 2 cells of column 'a'" in message
    assert "secretcell" not in message
    assert "Did you mean 'integer'?" in _message(tmp_path, b"a\n1\n", types={"a": "intger"})


def test_spaces_around_numbers_do_not_matter(tmp_path: Path) -> None:
    assert _read(tmp_path, b"a,b\n1, 2.5\n3 ,4\n,\n").rows() == [(1, 2.5), (3, 4.0), (None, None)]


def test_truth_is_read_in_every_spelling(tmp_path: Path) -> None:
    frame = _read(tmp_path, b"a,b\ntrue,TRUE\nFalse,false\n,\n")
    assert frame["a"].to_list() == frame["b"].to_list() == [True, False, None]


def test_quoted_empty_cells_of_numbers_are_missing(tmp_path: Path) -> None:
    frame = _read(tmp_path, b'a,b\n"1","x"\n"",""\n')
    assert frame["a"].to_list() == [1, None]
    assert frame["b"].to_list() == ["x", ""]


@pytest.mark.parametrize(
    ("raw", "facts"),
    [
        (b"a,b,c\n1,2,3\n4,secret\n6,7\n", ("2 rows have", "header (3)", "line 3 and has 2")),
        (b"a,b\n1,2\n3,secret,5\n", ("1 row has", "header (2)", "line 3 and has 3")),
        (b'a,b\n"x\ny",2\n3\n', ("1 row has", "line 4 and has 1")),
    ],
    ids=["short", "long", "after a quoted line break"],
)
def test_ragged_rows_are_told_by_line_and_count(
    raw: bytes, facts: tuple[str, ...], tmp_path: Path
) -> None:
    message = _message(tmp_path, raw)
    assert all(fact in message for fact in facts)
    assert "t.csv" in message
    assert "secret" not in message


def test_a_ragged_row_late_in_a_long_file_is_found(tmp_path: Path) -> None:
    raw = b"a,b,c\n" + b"1,2,\n" * 200_000 + b"1,2\n"
    assert "line 200002 and has 2" in _message(tmp_path, raw)


def test_blank_lines_are_no_records(tmp_path: Path) -> None:
    assert _read(tmp_path, b"a,b\n1,2\n\n3,\n\n").rows() == [(1, 2), (3, None)]


def test_quotes_inside_a_field_are_text(tmp_path: Path) -> None:
    assert _read(tmp_path, b'a,b\n5" pipe,2\n6 pipe,3\n')["a"].to_list() == ['5" pipe', "6 pipe"]


@pytest.mark.parametrize("raw", [b'a,b\n"secret,2\ny,3\n', b'a,b\n1,"secret\ny,3\n'])
def test_an_open_quote_is_told_by_its_line(raw: bytes, tmp_path: Path) -> None:
    message = _message(tmp_path, raw)
    assert "line 2" in message
    assert "secret" not in message


def test_double_names_are_refused(tmp_path: Path) -> None:
    assert "'a' occurs more than once" in _message(tmp_path, b"a,a,b\n1,2,3\n")


def test_a_nameless_column_is_called_by_its_place(tmp_path: Path) -> None:
    assert _read(tmp_path, b",a\n0,x\n").columns == ["column_1", "a"]


@pytest.mark.parametrize("raw", [b"a,b\n", b"a,b", b"\xef\xbb\xbfa,b\r\n"])
def test_a_header_alone_is_a_table_without_records(raw: bytes, tmp_path: Path) -> None:
    frame = _read(tmp_path, raw)
    assert (frame.columns, frame.height) == (["a", "b"], 0)


def test_empty_files_are_refused(tmp_path: Path) -> None:
    assert "is empty" in _message(tmp_path, b"")
    assert "no column names" in _message(tmp_path, b"\n\n\n")


def test_other_kinds_of_files_are_recognised(tmp_path: Path) -> None:
    assert "looks like XLSX" in _message(tmp_path, b"PK\x03\x04....")
    assert "looks like Parquet" in _message(tmp_path, b"PAR1....")
    _message(tmp_path, bytes(range(256)) * 20)


def test_old_line_ends_are_read(tmp_path: Path) -> None:
    assert _read(tmp_path, b"a,b\r1,2\r3,4\r").rows() == [(1, 2), (3, 4)]
    assert _read(tmp_path, b"a,b\r\n1,x\r\n3,y\r\n").rows() == [(1, "x"), (3, "y")]


def test_packed_files_are_read_and_broken_ones_told(tmp_path: Path) -> None:
    assert _read(tmp_path, gzip.compress(b"a;b\n1;2,5\n3;\n"), "t.csv.gz").rows() == [
        (1, 2.5),
        (3, None),
    ]
    with pytest.raises(FileError, match="damaged"):
        _read(tmp_path, b"a;b\n1;2\n", "t.csv.gz")


def test_a_missing_column_gets_a_hint(tmp_path: Path) -> None:
    with pytest.raises(ColumnError, match=re.escape("Did you mean 'age'? Columns: age, sex.")):
        _read(tmp_path, b"age,sex\n1,f\n", columns=["agee"])


def test_a_decimal_comma_is_written_on_request(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    write(pl.DataFrame({"x": [1.5], "s": ["a"]}), path, separator=";", decimal=",")
    assert path.read_text() == "x;s\n1,5;a\n"
    with pytest.raises(FileError, match="does not go with separator"):
        write(pl.DataFrame({"x": [1.5]}), path, decimal=",")


def test_a_mark_for_spreadsheets_is_written_on_request(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    write(pl.DataFrame({"s": ["ü"]}), path, encoding="utf-8-sig")
    assert path.read_bytes() == "\ufeffs\nü\n".encode()


@pytest.mark.parametrize("encoding", ["latin-1", "windows-1252", "cp1251", "koi8-r"])
def test_a_code_page_is_written_on_request_where_it_has_every_character(
    encoding: str, tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    fits = "ü" if encoding in ("latin-1", "windows-1252") else "ю"
    write(pl.DataFrame({fits: [fits, "a"]}), path, encoding=encoding, keep_order=True)
    assert path.read_bytes() == f"{fits}\n{fits}\na\n".encode(encoding)
    with pytest.raises(FileError, match="Write it as 'utf-8'"):
        write(pl.DataFrame({"s": ["漢"]}), path, encoding=encoding)
    assert path.read_bytes() == f"{fits}\n{fits}\na\n".encode(encoding)


@pytest.mark.parametrize("encoding", ["utf-16", "shift-jis", "nonsense"])
def test_other_encodings_are_not_written(encoding: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="code page such as"):
        write(pl.DataFrame({"s": ["a"]}), tmp_path / "t.csv", encoding=encoding)


_TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=8)
_CELLS = st.one_of(st.none(), _TEXT, st.sampled_from(['"', '""', ",", ";", "\n", "'", "=1", " "]))


@given(
    rows=st.lists(st.tuples(_CELLS, _CELLS), min_size=1, max_size=8),
    separator=st.sampled_from([",", ";", "\t", "|"]),
)
@example(rows=[(None, None), ("", "")], separator=",")
@example(rows=[("a\nb", '"')], separator=";")
def test_any_text_comes_back_from_csv(
    rows: list[tuple[str | None, str | None]],
    separator: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    frame = pl.DataFrame(rows, schema={"first": pl.String, "second": pl.String}, orient="row")
    write(frame, path, keep_order=True, neutralize=False, separator=separator)
    back = read(path, separator=separator, types={"first": "text", "second": "text"})
    assert_frame_equal(back, frame)


@given(
    whole=st.lists(
        st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)), min_size=1, max_size=6
    ).filter(any),
    comma=st.booleans(),
    data=st.data(),
)
def test_any_numbers_come_back_from_csv(
    whole: list[int | None],
    comma: bool,  # noqa: FBT001 - drawn by hypothesis
    data: st.DataObject,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    reals = st.floats(allow_nan=False, allow_infinity=False).map(lambda x: x + 0.0)
    real = data.draw(st.lists(reals, min_size=len(whole), max_size=len(whole)))
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    frame = pl.DataFrame({"whole": whole, "real": real, "text": ["x"] * len(whole)})
    frame = frame.cast({"whole": pl.Int64, "real": pl.Float64})
    marks: dict[str, Any] = {"separator": ";", "decimal": ","} if comma else {}
    write(frame, path, keep_order=True, **marks)
    assert_frame_equal(read(path), frame, check_exact=True)
