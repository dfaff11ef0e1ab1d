from __future__ import annotations

import polars as pl

import microveil as mv
from microveil.reports.contents.quantities import quantities_in
from microveil.tables import Table

N = 150
FRAME = pl.DataFrame(
    {
        "row": range(N),
        "sex": [i % 2 for i in range(N)],
        "pay": [1000.5 + 13 * i for i in range(N)],
        "age": [18 + i % 60 for i in range(N)],
        "w": [1.5] * N,
        "home": [i // 2 for i in range(N)],
        "town": ["a"] * N,
    }
)
ROLES = mv.Roles(weight="w", household="home")


def test_codes_ids_and_the_design_are_no_quantities() -> None:
    table = Table(FRAME, ROLES)
    found = quantities_in(table, table)
    assert found.columns == ("pay", "age")
    assert found.left_out == {
        "row": "an id",
        "sex": "codes",
        "w": "part of the survey's design",
        "home": "an id",
    }


def test_rows_that_cannot_be_laid_side_by_side_have_none() -> None:
    found = quantities_in(Table(FRAME, ROLES), Table(FRAME.head(7), ROLES))
    assert found == ((), {})
