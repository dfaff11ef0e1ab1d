from __future__ import annotations

import pytest

import microveil as mv
from microveil.errors import ColumnError
from microveil.plots import (
    error_curves_chart,
    histogram_chart,
)
from microveil.plots.histogram import histogram_bars
from microveil.plots.small_counts import SMALL_COUNT
from microveil.tables import Table
from tests.plots.cases import EXTREME, people, rows_of
from tests.plots.releases import NOISY


def test_a_histogram_counts_every_record_of_both_tables() -> None:
    counts = {"original": 0, "protected": 0}
    for row in rows_of(histogram_chart(NOISY, column="age")):
        counts[row["side"]] += row["count"]

    assert counts == {"original": 400, "protected": 400}


def test_a_histogram_of_text_points_to_the_other_figure() -> None:
    with pytest.raises(ColumnError, match="marginals_chart"):
        histogram_chart(NOISY, column="town")
    with pytest.raises(ColumnError, match="Did you mean 'age'"):
        histogram_chart(NOISY, column="agee")


@pytest.mark.parametrize("column", ["pay", "age"])
def test_a_public_histogram_has_round_counts_and_no_extreme(column: str) -> None:
    bars = rows_of(histogram_chart(NOISY, column=column, audience="public"))

    assert bars
    assert all(row["count"] >= SMALL_COUNT for row in bars)
    assert all(row["count"] % SMALL_COUNT == 0 for row in bars)
    assert max(row["end"] for row in bars) < EXTREME


def test_removed_rows_do_not_disturb_a_histogram() -> None:
    roles = mv.Roles(quasi_identifiers=["town"])
    recipe = mv.Recipe(roles=roles, steps=[mv.SuppressRecords(k=5)], undeclared="keep")
    release = mv.run(recipe, people(), seed=1)
    counts = [row["count"] for row in rows_of(histogram_chart(release, column="age"))]

    assert sum(counts) == 799
    assert rows_of(error_curves_chart(release, columns=["age"]))[-1]["error"] == 0


def test_intervals_of_whole_numbers_get_bins_of_whole_width() -> None:
    before = Table({"rooms": [1, 2, 3, 4, 5, 6]})
    after = Table({"rooms": ["[1, 2]", "[1, 2]", "[3, 4]", "[3, 4]", "5", "6"]})
    bars = histogram_bars(before, after, "rooms")
    assert {bar["end"] - bar["start"] for bar in bars} == {1.0}
    assert {bar["count"] for bar in bars} == {1}
