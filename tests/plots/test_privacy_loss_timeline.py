from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from microveil.errors import ColumnError, InputError
from microveil.plots import privacy_loss_timeline_chart, to_svg
from tests.plots.cases import rows_of

SPENT: dict[str, Any] = {"time": [2, 1, 3], "query": ["b", "a", "c"], "epsilon": [0.25, 0.5, 0.0]}


def test_losses_add_up_in_the_order_of_time() -> None:
    rows = rows_of(privacy_loss_timeline_chart(SPENT))

    assert [(row["query"], row["total"]) for row in rows] == [("a", 0.5), ("b", 0.75), ("c", 0.75)]


def test_the_budget_is_drawn_and_told() -> None:
    svg = to_svg(privacy_loss_timeline_chart(SPENT, budget=2))

    assert "budget ε = 2" in svg
    assert "3 queries, ε = 0.75 of 2" in svg


def test_times_and_dates_are_times() -> None:
    times = [datetime(2024, 1, day, tzinfo=UTC) for day in (1, 2, 3)]

    assert "2024" in to_svg(privacy_loss_timeline_chart(SPENT | {"time": times}))


def test_no_query_is_a_figure_too() -> None:
    import polars as pl

    empty = pl.DataFrame(schema={"time": pl.Datetime, "query": pl.String, "epsilon": pl.Float64})
    assert "no query yet" in to_svg(privacy_loss_timeline_chart(empty, budget=1))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"epsilon": [0.1, None, 0.1]}, "finite, non-negative ε"),
        ({"epsilon": [0.1, -0.1, 0.1]}, "finite, non-negative ε"),
        ({"epsilon": [0.1, float("inf"), 0.1]}, "finite, non-negative ε"),
        ({"epsilon": ["a", "b", "c"]}, "numbers"),
        ({"time": ["a", "b", "c"]}, "dates, times or numbers"),
    ],
)
def test_a_ledger_that_cannot_be_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        privacy_loss_timeline_chart(SPENT | change)


def test_columns_and_budget_are_checked() -> None:
    with pytest.raises(ColumnError, match="epsilon"):
        privacy_loss_timeline_chart({"time": [1], "query": ["a"]})
    with pytest.raises(InputError, match="larger than zero"):
        privacy_loss_timeline_chart(SPENT, budget=0)
