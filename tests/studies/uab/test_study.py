"""The tables are laid beside averages of ours, each difference with its reason."""

from __future__ import annotations

import pytest

from microveil.studies.uab import study
from microveil.studies.uab.methods import Averages, methods
from microveil.studies.uab.published import COLUMNS, Data

QUANTITIES = ("il1s", "risk", "mean", "sd", "seconds")
FOUND: dict[tuple[Data, str], Averages] = {
    (kind, name): Averages(
        kind, name, 100, dict.fromkeys(QUANTITIES, 1.0), dict.fromkeys(QUANTITIES, 0.1)
    )
    for kind in ("ages", "salaries")
    for name in methods("x")
}


def test_every_printed_number_has_its_cell() -> None:
    tables = [study._table(number, FOUND) for number in range(4, 16)]
    found = [cell for table in tables for cell in table.cells]
    assert [cell.published for cell in found] == [
        text for column in COLUMNS for text in column.values.values()
    ]
    assert all(cell.mark == "not compared" for cell in found if cell.quantity == "seconds")
    assert not [cell for table in tables for cell in table.unexplained_cells()]


def test_one_draw_has_a_larger_error_than_a_hundred() -> None:
    (one,) = [c for c in study._table(4, FOUND).cells if c.quantity == "risk"][:1]
    (many,) = [c for c in study._table(8, FOUND).cells if c.quantity == "risk"][:1]
    assert one.error > 5 * many.error


def test_a_hundred_and_one_runs_divided_by_a_hundred() -> None:
    cells = study._sdcmicro(FOUND).cells
    assert {cell.ours for cell in cells} == {1.01}
    assert "seconds" not in {cell.quantity for cell in cells}
    swapped = [cell for cell in cells if cell.where["table"] in (12, 13)]
    assert {cell.where["method"] for cell in swapped} == {"permutation"}


def test_chained_swaps_stand_beside_rank_swaps_alone() -> None:
    cells = study._swapping(FOUND).cells
    assert {cell.where["method"] for cell in cells} == {"rank swap, chained"}
    assert {cell.where["data"] for cell in cells} == {"ages", "salaries"}


@pytest.mark.parametrize(
    ("table", "program", "quantity", "words"),
    [
        (15, "sdcMicro microaggregation", "il1s", "Table 15 keeps one"),
        (12, "sdcMicro rankSwap", "il1s", "no swap within"),
        (8, "sdcMicro addNoise", "mean", "1.01 times too large"),
        (9, "additiveNoise", "il1s", "not available"),
        (12, "rankSwap", "il1s", "in its turn"),
        (14, "microaggregation", "risk", "713 of 714"),
        (8, "additiveNoise", "il1s", "no reason for it is known"),
    ],
)
def test_a_difference_has_the_reason_of_its_place(
    table: int, program: str, quantity: str, words: str
) -> None:
    (column,) = [c for c in COLUMNS if (c.table, c.program) == (table, program)]
    assert words in " ".join(study._why(column, quantity).split())


def test_the_data_have_the_printed_moments() -> None:
    assert {cell.mark for cell in study._originals().cells} == {"equal"}
