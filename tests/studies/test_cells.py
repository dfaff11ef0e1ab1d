"""Cells: the mark is computed from the digits printed and the error, never written down."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.studies import Cell, Experiment
from microveil.studies.cells import half_a_digit, printed_value, sampling_error


@pytest.mark.parametrize(
    ("printed", "value", "half"),
    [
        ("16,772", 16772.0, 0.5),
        (".6910", 0.691, 0.00005),
        ("29.72", 29.72, 0.005),
        ("1.802e-6", 1.802e-6, 0.5e-9),
        ("-0.000641", -0.000641, 0.5e-6),
    ],
)
def test_what_is_printed_tells_its_value_and_its_digits(
    printed: str, value: float, half: float
) -> None:
    assert printed_value(printed) == pytest.approx(value)
    assert half_a_digit(printed) == pytest.approx(half)


def test_text_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="not a number"):
        half_a_digit("about 3")


@given(st.floats(-1e6, 1e6), st.integers(0, 6))
def test_a_number_is_equal_to_itself_printed(value: float, digits: int) -> None:
    printed = f"{value:.{digits}f}"
    half = half_a_digit(printed)
    if abs(abs(value - float(printed)) - half) > 1e-9 * half:
        assert Cell({}, "x", value, printed).mark == "equal"


def test_a_half_is_rounded_away_from_zero() -> None:
    assert Cell({}, "x", 703.125, "703.13").mark == "equal"
    assert Cell({}, "x", -703.125, "-703.13").mark == "equal"
    assert Cell({}, "x", 0.25, "0.2").mark == "differs"


def test_a_page_says_what_a_document_is_before_its_tables() -> None:
    from microveil.studies.base import About, StudyResult
    from microveil.studies.writing import LONGEST, to_markdown

    rows = [Cell({"row": i}, "x", float(i)) for i in range(LONGEST + 1)]
    about = About(
        "A system.", {"theirs()": "ours"}, "Ten times faster.", ("A reading.",), {"fig": "F"}
    )
    result = StudyResult(
        "name",
        "Title",
        "Author, *Work*, 2020.",
        (Experiment.of("T", "Table 1", rows),),
        about=about,
    )
    page = to_markdown(result, ["name_figure_1.svg"])
    order = ["Author", "A system.", "Ten times faster.", "theirs()", "A reading.", "*F*", "## T"]
    places = [page.index(text) for text in order]
    assert places == sorted(places)
    assert f"<summary>All {len(rows)} rows</summary>" in page


def test_within_error_means_three_standard_errors() -> None:
    assert Cell({}, "x", 10.29, "10", 0.1).mark == "equal"
    assert Cell({}, "x", 10.7, "10", 0.1).mark == "within error"
    assert Cell({}, "x", 10.81, "10", 0.1).mark == "differs"


def test_without_an_error_only_the_digits_count() -> None:
    assert Cell({}, "x", 10.51, "10").mark == "differs"


def test_what_nobody_published_is_new_and_seconds_are_not_compared() -> None:
    assert Cell({}, "x", 1.0).mark == "new"
    assert Cell({}, "seconds", 1.0, "217", compared=False).mark == "not compared"


def test_a_number_that_is_none_differs_from_all_that_is_printed() -> None:
    assert Cell({}, "x", float("nan"), "1").mark == "differs"


def test_the_error_of_two_means_counts_both_sides() -> None:
    assert sampling_error(3.0, 9) == pytest.approx(1.0)
    assert sampling_error(3.0, 9, 9) == pytest.approx(2**0.5)


def test_a_reason_is_given_only_where_a_cell_differs() -> None:
    experiment = Experiment.of(
        "t", "s", [Cell({}, "a", 1.0, "1"), Cell({}, "b", 2.0, "1")], why=lambda _: "because"
    )
    assert [cell.why for cell in experiment.cells] == ["", "because"]
    assert experiment.unexplained_cells() == []
    assert experiment.counts() == {"equal": 1, "differs": 1}
