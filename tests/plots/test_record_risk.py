from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.errors import InputError
from microveil.plots.export import to_svg
from microveil.plots.record_risk import MOST_BINS, record_risk_chart, risk_bins
from microveil.scores import Score


def scored(*risks: float) -> Score:
    return Score("class_sizes", 0.0, records=np.array(risks, dtype=np.float64))


def drawn(chart: Any) -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = next(iter(chart.to_dict()["datasets"].values()))
    return data


def subtitle(chart: Any) -> str:
    return " ".join(chart.to_dict()["title"]["subtitle"])


@settings(max_examples=100)
@given(st.lists(st.floats(0, 1e3), min_size=1, max_size=40), st.floats(1e-6, 1))
def test_bins_lose_no_record_and_none_straddles_the_threshold(
    values: list[float], threshold: float
) -> None:
    risks = np.array(values)
    bins = risk_bins(risks, threshold)
    assert sum(one["n_records"] for one in bins) == (risks > 0).sum()
    assert len(bins) <= MOST_BINS
    for one in bins:
        inside = (risks > one["low"]) & (risks <= one["high"])
        assert one["n_records"] == inside.sum()
        assert one["above"] == pytest.approx((risks > one["low"]).mean())
    if bins and bins[0]["high"] < threshold:
        above = sum(one["n_records"] for one in bins if one["high"] > threshold)
        assert above == (risks > threshold).sum()


def test_risks_above_the_threshold_stand_out() -> None:
    chart = record_risk_chart(scored(0.0, 0.05, 0.2, 0.5, 1.0), threshold=0.2)
    kinds = {row["risk"]: row["kind"] for row in drawn(chart) if row["n_records"]}
    assert kinds == {
        "0.02–0.05": "0.2 or less",
        "0.1–0.2": "0.2 or less",
        "0.2–0.5": "above 0.2",
        "0.5–1": "above 0.2",
    }
    assert subtitle(chart) == "2 of 5 records above 0.2, 1 without risk"


def test_very_low_risks_share_the_lowest_bin() -> None:
    rows = drawn(record_risk_chart(scored(1e-30, 1e-9, 0.7)))
    assert rows[0]["risk"].startswith("≤ ")
    assert rows[0]["n_records"] == 2


@settings(max_examples=50)
@given(st.lists(st.sampled_from([0.0, 0.01, 0.05, 0.3, 1.0]), max_size=80))
def test_the_public_reads_no_small_count(values: list[float]) -> None:
    chart = record_risk_chart(scored(*values), audience="public")
    for row in drawn(chart):
        assert row["n_records"] % 10 == 0
        total = row["above"] * len(values)
        assert total == pytest.approx(10 * round(total / 10)) or row["above"] == 1
    numbers = [int(word) for word in subtitle(chart).replace(",", "").split() if word.isdigit()]
    assert all(number % 10 == 0 for number in numbers)


@pytest.mark.parametrize("risks", [(), (0.0, 0.0), (0.5,), (0.001, 0.2, 1.0)])
def test_the_chart_becomes_svg_that_can_share_a_page(risks: tuple[float, ...]) -> None:
    root = ET.fromstring(to_svg(record_risk_chart(scored(*risks))))  # noqa: S314  our own drawing
    assert root.tag.endswith("svg")
    assert not [node for node in root.iter() if "id" in node.attrib]


def test_scores_that_cannot_be_drawn_are_refused() -> None:
    with pytest.raises(InputError, match="'il1s' has none"):
        record_risk_chart(Score("il1s", 0.1))
    with pytest.raises(InputError, match="2 of the 3 values"):
        record_risk_chart(scored(0.5, -1.0, float("nan")))
    with pytest.raises(InputError, match="No audience 'press'"):
        record_risk_chart(scored(0.5), audience="press")
