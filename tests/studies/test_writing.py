from __future__ import annotations

import json
from pathlib import Path

import pytest

from microveil.studies import Cell, Experiment
from microveil.studies.base import About, StudyResult
from microveil.studies.writing import (
    columns,
    legend,
    number,
    reasons,
    table_rows,
    to_markdown,
    write_study,
)

EXPERIMENT = Experiment(
    "Table 1: losses",
    "Page 3",
    (
        Cell({"method": "a|b", "k": 3}, "loss", 0.5, "0.50"),
        Cell({"method": "a|b", "k": 3}, "seconds", 1.25),
        Cell({"method": "c", "k": 3}, "loss", 0.7, "0.50", why="Other seed."),
        Cell({"method": "d", "k": 3}, "loss", 0.9, "0.50", why="Other seed."),
    ),
)
RESULT = StudyResult("s", "A study", "A document (2001).", (EXPERIMENT,), quick=True)


def test_a_row_is_a_place_and_a_column_a_quantity() -> None:
    assert columns(EXPERIMENT) == ["method", "k", "loss", "seconds"]
    rows = table_rows(EXPERIMENT)
    assert [row[:2] for row in rows] == [["a|b", "3"], ["c", "3"], ["d", "3"]]
    assert rows[0][3] == "1.25"
    assert rows[1][3] == ""
    assert rows[0][2].startswith("0.5 ")
    assert rows[0][2].endswith(" 0.50")


def test_each_reason_is_given_once_with_its_cells() -> None:
    assert reasons(EXPERIMENT) == ["Other seed. (2 cells)"]
    assert legend(RESULT).startswith("4 cells: ")
    assert "2 different" in legend(RESULT)


def test_a_page_has_the_document_the_run_and_every_table() -> None:
    page = to_markdown(RESULT, ["s_map.svg"])
    assert page.startswith("# A study\n\nA document (2001).")
    assert "A quick run of `microveil study s --quick`" in page
    assert "## Table 1: losses" in page
    assert "a\\|b" in page
    assert "![map](s_map.svg)" in page
    about = About(headline="It agrees.", captions={"ma": "short", "map": "The map"})
    told = StudyResult("s", "A study", "D.", (EXPERIMENT,), about=about)
    assert "**It agrees.**" in to_markdown(told)
    assert "*The map*" in to_markdown(told, ["s_map.svg"])


def test_a_study_is_written_as_a_page_and_as_data(tmp_path: Path) -> None:
    written = write_study(RESULT, tmp_path / "new", figures=False)
    assert [path.name for path in written] == ["s.md", "s.json"]
    plain = json.loads(written[1].read_text(encoding="utf-8"))
    assert plain["study"] == "s"
    assert plain["counts"] == RESULT.counts()


@pytest.mark.parametrize(
    ("value", "text"), [(34464.0, "34,464"), (-3.0, "-3"), (0.1234567, "0.123457"), (1e16, "1e+16")]
)
def test_numbers_have_six_digits_at_most(value: float, text: str) -> None:
    assert number(value) == text
