"""Figures 4 to 10 are drawn on demand, from releases of ours."""

from __future__ import annotations

import polars as pl
import pytest

from microveil.studies.uab import figures as drawn
from microveil.studies.uab.figures import ERRORS, NUMBERS, figures
from microveil.studies.uab.methods import methods

pytest.importorskip("altair")


def test_every_figure_of_both_data_sets_has_a_name_of_its_own() -> None:
    names = set(figures())
    n_histograms = 1 + sum(map(len, NUMBERS.values()))
    assert len(names) == 2 * (n_histograms + len(ERRORS))
    assert {"figure_4_ages", "figure_8_salaries_rank_swap_blocks", "figure_9_ages_errors"} <= names
    assert {name for some in NUMBERS.values() for name in some} <= set(methods("x"))


def test_a_figure_shows_the_column_before_and_after() -> None:
    frame = pl.DataFrame({"pay": [1.0, 2.0, 3.0, 4.0, 50.0] * 4})
    plain = drawn._histogram(frame, None)().to_dict()
    assert plain["datasets"]
    errors = drawn._errors(frame, ("rank swap", "microaggregation"))().to_dict()
    values = [row for rows in errors["datasets"].values() for row in rows]
    assert {"rank swap", "microaggregation"} <= {str(v) for row in values for v in row.values()}
    again = drawn._release(frame, "rank swap")
    assert again.equals(drawn._release(frame, "rank swap"))
    assert again["pay"].sort().equals(frame["pay"].sort())
