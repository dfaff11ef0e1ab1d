from __future__ import annotations

from microveil import dp
from tests.dp.answered import FRAME, HUGE
from tests.dp.tables import declared


def test_marginals_are_tables_of_noisy_counts() -> None:
    found = dp.marginals(
        FRAME, declared(), ["region", ("region", "smokes")], HUGE, nonnegative=True
    )
    assert list(found) == [("region",), ("region", "smokes")]
    assert found["region",]["value"].sum() == FRAME.height
