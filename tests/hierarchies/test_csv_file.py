"""ARX hierarchy files are read, written and refused with the place of the fault."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from microveil.errors import FileError, HierarchyError
from microveil.hierarchies import Hierarchy, beside, read_hierarchy, write_hierarchy
from microveil.hierarchies.csv_file import format_csv, parse_csv, read_csv

ADULT = Path(__file__).parents[1] / "data" / "adult"


@pytest.mark.parametrize(
    ("column", "n_labels"),
    [
        ("age", (100, 20, 10, 5, 1)),
        ("education", (16, 5, 3, 1)),
        ("marital-status", (7, 2, 1)),
        ("native-country", (41, 5, 1)),
        ("sex", (2, 1)),
        ("workclass", (8, 3, 1)),
    ],
)
def test_arx_hierarchies_of_adult_are_read(column: str, n_labels: tuple[int, ...]) -> None:
    assert read_csv(ADULT / f"adult_hierarchy_{column}.csv").n_labels == n_labels


def test_whole_numbers_find_their_text_in_the_adult_ages() -> None:
    ages = read_csv(ADULT / "adult_hierarchy_age.csv")
    assert ages.generalize(pl.Series("age", [39, 17, None]), 2).to_list() == [
        "30-39",
        "10-19",
        None,
    ]


@pytest.mark.parametrize("separator", [";", ",", "\t", "|"])
def test_the_separator_is_found_out(separator: str) -> None:
    text = "a;x;*\nb;x;*\n".replace(";", separator)
    assert parse_csv(text).frame.rows() == [("a", "x", "*"), ("b", "x", "*")]


def test_commas_within_labels_do_not_part_columns() -> None:
    assert parse_csv("34;[30, 40);*\n").frame.rows() == [("34", "[30, 40)", "*")]


def test_a_separator_may_be_given() -> None:
    assert parse_csv("a;b,x\n", separator=",").frame.rows() == [("a;b", "x", "*")]


def test_quotes_blank_lines_and_a_byte_order_mark_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    path.write_bytes('\ufeff"a;b";x\r\n\r\nc;"say ""x"""\r\n'.encode())
    assert read_csv(path).frame.rows() == [("a;b", "x", "*"), ("c", 'say "x"', "*")]


def test_a_lone_column_is_a_hierarchy_of_values_and_a_star() -> None:
    assert parse_csv("a\nb\n").frame.rows() == [("a", "*"), ("b", "*")]


def test_a_header_names_the_levels() -> None:
    assert parse_csv("town;land\nRome;IT\n", header=True).names == ("town", "land", "*")


def test_ragged_rows_are_refused_with_count_and_place() -> None:
    with pytest.raises(
        HierarchyError, match=r"h\.csv: 1 of 3 rows .* 3 columns .*first is row 2"
    ) as caught:
        parse_csv("a;x;*\nsecret;x\nc;x;*\n", source="h.csv")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_file_is_refused(text: str) -> None:
    with pytest.raises(HierarchyError, match="empty"):
        parse_csv(text)


def test_a_header_alone_is_an_empty_file() -> None:
    with pytest.raises(HierarchyError, match="empty"):
        parse_csv("town;land\n", header=True)


def test_an_open_quote_is_refused() -> None:
    with pytest.raises(HierarchyError, match="not readable CSV"):
        parse_csv('a;x\n"b;x\n')


def test_a_missing_file_is_named() -> None:
    with pytest.raises(FileError, match=r"No hierarchy file 'nowhere\.csv'"):
        read_csv("nowhere.csv")


def test_another_encoding_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    path.write_bytes("Málaga;Spain\n".encode("latin-1"))
    with pytest.raises(FileError, match="Save it as UTF-8"):
        read_csv(path)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        read_csv(tmp_path)


def test_a_written_hierarchy_reads_back_the_same(tmp_path: Path) -> None:
    ages = Hierarchy.of([pl.Series([34.0, 2.5]), pl.Series(["[30, 40)", 'a;"b"'])])
    write_hierarchy(ages, tmp_path / "h.csv")
    assert read_hierarchy(tmp_path / "h.csv").frame.rows() == [
        ("34", "[30, 40)", "*"),
        ("2.5", 'a;"b"', "*"),
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["h.csv"]


def test_a_header_of_names_survives_writing() -> None:
    towns = parse_csv("Rome;IT\n", names=["town", "land"])
    again = parse_csv(format_csv(towns, header=True), header=True)
    assert again.names == ("town", "land", "*")


def test_an_unwritable_place_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be written"):
        write_hierarchy(parse_csv("a;x\n"), tmp_path / "nowhere" / "h.csv")


def test_paths_are_looked_for_beside_the_recipe_first(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("a;x\n", encoding="utf-8")
    with beside(tmp_path):
        assert read_csv("h.csv").n_values == 1
    with pytest.raises(FileError):
        read_csv("h.csv")


def test_a_label_beyond_all_measure_is_told() -> None:
    with pytest.raises(HierarchyError, match="not readable CSV"):
        parse_csv(f"1;{'x' * 200_000};*\n2;y;*\n")
