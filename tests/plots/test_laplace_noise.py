from __future__ import annotations

import math

import pytest

from microveil.errors import InputError
from microveil.plots import laplace_noise_chart, to_svg
from tests.plots.cases import rows_of


def test_each_loss_has_its_density() -> None:
    rows = rows_of(laplace_noise_chart())
    peaks = {row["loss"]: row["density"] for row in rows if row["noise"] == 0}
    assert peaks == pytest.approx({"0.1": 0.05, "0.5": 0.25, "1": 0.5, "3": 1.5})
    for row in rows:
        loss = float(row["loss"])
        assert row["density"] == pytest.approx(loss / 2 * math.exp(-loss * abs(row["noise"])))


def test_a_larger_sensitivity_needs_wider_noise() -> None:
    narrow, wide = (
        max(row["density"] for row in rows_of(laplace_noise_chart([1], sensitivity=at)))
        for at in (1, 4)
    )
    assert narrow == pytest.approx(4 * wide)
    assert "by 4 at most" in to_svg(laplace_noise_chart([1], sensitivity=4))


@pytest.mark.parametrize("losses", [[], [0], [-1], [math.inf], [math.nan], range(1, 12)])
def test_losses_that_cannot_be_are_refused(losses: list[float]) -> None:
    with pytest.raises(InputError, match="above zero"):
        laplace_noise_chart(losses)
