from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.plots.spreading import spread_counts

EDGES = np.array([0.0, 10.0, 20.0, 30.0])


@pytest.mark.parametrize(
    ("labels", "whole", "expected"),
    [
        (["[0, 20)"] * 4, True, [2, 2, 0]),
        (["[10, 19]"], True, [0, 1, 0]),
        (["[5, 25]"], False, [0.25, 0.5, 0.25]),
        (["≥20"], False, [0, 0, 1]),
        (["10", "10", None], False, [0, 2, 0]),
        (["30"], False, [0, 0, 1]),
        ([], True, [0, 0, 0]),
    ],
)
def test_an_interval_is_shared_out_evenly(
    labels: list[str | None],
    whole: bool,  # noqa: FBT001  a case
    expected: list[float],
) -> None:
    found = spread_counts(pl.Series(labels, dtype=pl.String), EDGES, whole=whole)
    assert found is not None
    assert found.tolist() == pytest.approx(expected)


def test_words_cannot_be_spread() -> None:
    assert spread_counts(pl.Series(["[0, 10)", "young"]), EDGES, whole=True) is None
