from __future__ import annotations

from microveil.plots.drawing import SAFE
from microveil.plots.share_bars import ROW, bars_height, share_bars
from tests.plots.cases import rows_of


def test_bars_keep_the_order_and_the_shares_they_are_given() -> None:
    chart = share_bars({"z": 0.25, "a": 1.0}, axis="Kept", word="Share", colour=SAFE)
    assert [(row["column"], row["share"]) for row in rows_of(chart)] == [("z", 0.25), ("a", 1.0)]


def test_few_bars_are_not_squeezed() -> None:
    assert bars_height(0) == bars_height(1) == 40
    assert bars_height(10) == 10 * ROW
