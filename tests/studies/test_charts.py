"""Lines over a parameter, one panel for each measure."""

from __future__ import annotations

import pytest

from microveil.studies.charts import SERIES_COLOURS, line_panels

pytest.importorskip("altair")
ROWS = [
    {"k": k, "algorithm": name, "measure": measure, "value": float(k)}
    for k in (8, 2)
    for name in ("a", "b")
    for measure in ("mean", "variance")
]


def test_a_panel_per_measure_a_line_per_series_in_the_order_told() -> None:
    drawn = line_panels(ROWS, x="k", series="algorithm", title="Runs", order=[8, 2]).to_dict()
    spec = drawn.get("spec", drawn)
    encoding = spec["encoding"]
    assert encoding["row"]["field"] == "measure"
    assert encoding["color"]["field"] == encoding["strokeDash"]["field"] == "algorithm"
    assert encoding["x"]["sort"] == [8, 2]
    assert encoding["y"]["scale"]["type"] == "symlog"
    assert drawn["datasets"].popitem()[1] == ROWS
    assert drawn["title"] == "Runs" or "Runs" in str(drawn["title"])


def test_without_an_order_rows_keep_theirs_and_scales_may_be_linear() -> None:
    chart = line_panels(ROWS, x="k", series="algorithm", title="Runs", logarithmic=False)
    encoding = chart.to_dict()["encoding"]
    assert encoding["x"]["sort"] is None
    assert encoding["y"]["scale"]["type"] == "linear"


def test_series_differ_in_colour() -> None:
    assert len(set(SERIES_COLOURS)) == len(SERIES_COLOURS) == 7
