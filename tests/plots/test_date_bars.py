from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.errors import ColumnError
from microveil.plots import histogram_chart, marginals_chart, to_svg
from microveil.plots.date_bars import DAY, calendar_edges, date_bars
from microveil.tables import Table
from tests.plots.cases import rows_of

DAYS = [date(2001, 1, 1) + timedelta(days=3 * i) for i in range(365)]


def _bars(before: list[Any], after: list[Any]) -> dict[str, dict[str, int]]:
    bars = date_bars(Table({"d": before}), Table({"d": after}), "d")
    assert bars is not None
    found: dict[str, dict[str, int]] = {"original": {}, "protected": {}}
    for bar in bars:
        found[bar["side"]][bar["start"]] = bar["count"]
    return found


def test_a_generalised_date_counts_over_its_interval() -> None:
    counts = _bars(DAYS, ["[2001-01-01, 2003-12-31]"] * 365)
    assert sum(counts["original"].values()) == 365
    assert sum(counts["protected"].values()) == pytest.approx(365, abs=6)
    assert list(counts["protected"]) == list(counts["original"])
    assert max(counts["protected"].values()) - min(counts["protected"].values()) <= 2


def test_months_and_years_count_where_they_lie() -> None:
    months = _bars(DAYS[:100], [f"{day:%Y-%m}" for day in DAYS[:100]])
    years = _bars(DAYS, [str(day.year) for day in DAYS])
    assert sum(months["protected"].values()) == pytest.approx(100, abs=5)
    assert years["protected"] == pytest.approx(years["original"], abs=2)


def test_moments_of_one_day_get_bins_of_hours() -> None:
    moments = [datetime.fromisoformat(f"2001-01-01T{hour:02}:30") for hour in range(24)]
    counts = _bars(moments, moments)
    assert counts["protected"] == counts["original"]
    assert list(counts["original"])[1] == "2001-01-01T01:00:00Z"


@pytest.mark.parametrize("labels", [["Monday"] * 365, ["2001 Spring"] * 365])
def test_labels_that_name_no_date_are_drawn_as_categories(labels: list[str]) -> None:
    before, after = pl.DataFrame({"d": DAYS}), pl.DataFrame({"d": labels})
    assert date_bars(Table(before), Table(after), "d") is None
    assert {row["value"] for row in rows_of(marginals_chart(before, after))} >= {labels[0]}
    with pytest.raises(ColumnError, match="marginals_chart"):
        histogram_chart(before, after, column="d")


def test_a_column_without_dates_has_no_bars() -> None:
    empty = Table(pl.DataFrame({"d": pl.Series([None, None], dtype=pl.Date)}))
    assert date_bars(empty, empty, "d") is None
    assert date_bars(Table({"d": [1]}), Table({"d": [1]}), "d") is None
    far = Table(pl.DataFrame({"d": pl.Series([10**7, 0]).cast(pl.Date)}))
    assert date_bars(far, far, "d") is None


def test_partitioned_dates_are_drawn_on_a_time_axis() -> None:
    frame = pl.DataFrame({"d": DAYS, "sex": ["f", "m", "f", "m", "f"] * 73})
    roles = mv.Roles(quasi_identifiers=["d", "sex"])
    release = mv.run(mv.Recipe(roles=roles, steps=[mv.Mondrian(k=20)]), frame, seed=1)
    chart = marginals_chart(release, columns=["d"])
    drawn = rows_of(chart)
    assert "value" not in drawn[0]
    assert sum(row["count"] for row in drawn) == pytest.approx(730, abs=15)
    assert "2002" in to_svg(chart)


def test_edges_follow_the_calendar() -> None:
    weeks = calendar_edges(0, 100 * DAY, days=True)
    assert {edge / DAY % 7 for edge in weeks} == {4}
    years = calendar_edges(0, 365 * 20 * DAY, days=True)
    assert years[1] == 365 * DAY
    assert len(calendar_edges(-719_162 * DAY, 2_932_896 * DAY, days=True)) <= 26
