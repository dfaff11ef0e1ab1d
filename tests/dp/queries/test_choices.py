from __future__ import annotations

from microveil import dp
from tests.dp.answered import HUGE, READY


def test_the_most_frequent_keys_come_first() -> None:
    found = dp.answer(dp.TopK(column="region", k=3), READY, spend=HUGE)
    assert [row["value"] for row in found.rows] == ["north", "south", "east"]
