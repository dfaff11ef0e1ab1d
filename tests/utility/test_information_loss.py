from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv

# S1, exercise 2 (Taula 25), to a unit of the last digit printed in Taula 26, whose data were not
# rounded.
X = {"v1": [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], "v2": [90, 80, 70, 60, 50, 40, 30, 20, 10, 9]}


NEAR = {
    "v1": [10.70, 10.45, 8.50, 7.58, 5.49, 5.62, 4.99, 3.47, 1.06, 1.92],
    "v2": [83.42, 81.07, 77.46, 58.56, 54.46, 36.86, 32.88, 18.15, 16.55, 5.23],
}


FAR = {
    "v1": [16.79, 14.66, 13.37, 13.68, 10.67, 11.55, 9.82, 8.24, 7.44, 6.49],
    "v2": [146.61, 126.57, 114.44, 118.22, 88.79, 95.05, 78.29, 61.17, 55.94, 57.07],
}


@pytest.mark.parametrize(
    ("released", "expected"),
    [
        pytest.param(
            NEAR,
            {
                "values_mse": (10.38, 0.01),
                "values_mae": (2.34, 0.01),
                "values_mre": (0.20, 0.01),
                "correlations_mse": (0.00062, 1e-5),
                "correlations_mae": (0.01767, 2e-5),
                "correlations_mre": (0.01773, 2e-5),
            },
            id="near",
        ),
        pytest.param(
            FAR,
            {
                "values_mse": (1202.92, 0.01),
                "values_mae": (27.04, 0.01),
                "values_mre": (1.75, 0.01),
                # Recomputed from the printed data; the document had unrounded ones.
                "correlations_mse": (1.8138e-6, 5e-11),
                "correlations_mae": (0.00095231, 5e-9),
                "correlations_mre": (0.00095569, 5e-9),
            },
            id="far",
        ),
    ],
)
def test_the_measures_are_those_of_the_course(
    released: dict[str, Any], expected: dict[str, tuple[float, float]]
) -> None:
    parts = mv.InformationLoss().measure(X, released).parts
    assert len(parts) == 12
    for name, (value, tolerance) in expected.items():
        assert parts[name] == pytest.approx(value, abs=tolerance), name


def test_the_score_is_the_part_that_was_asked_for() -> None:
    measure = mv.InformationLoss(of="covariances", error="mae")
    score = measure.measure(X, NEAR)
    assert score.value == score.parts["covariances_mae"]


@given(st.lists(st.tuples(*[st.integers(-50, 50)] * 4), min_size=1, max_size=12))
def test_records_err_by_the_distance_they_moved(rows: list[tuple[int, ...]]) -> None:
    values = np.array(rows)
    before, after = (
        pl.DataFrame(values[:, part], schema=["a", "b"], orient="row") for part in ([0, 1], [2, 3])
    )
    moved = [((a - c) ** 2 + (b - d) ** 2) ** 0.5 for a, b, c, d in rows]
    lengths = [(a * a + b * b) ** 0.5 for a, b, _, _ in rows]
    relative = [m / n for m, n in zip(moved, lengths, strict=True) if n > 0]
    parts = mv.InformationLoss().measure(before, after).parts
    assert parts["records_mse"] == pytest.approx(np.mean(np.square(moved)))
    assert parts["records_mae"] == pytest.approx(np.mean(moved))
    assert parts["records_mre"] == pytest.approx(np.mean(relative) if relative else 0.0)
    chosen = mv.InformationLoss(of="records", error="mae").measure(before, after)
    assert chosen.value == parts["records_mae"]
