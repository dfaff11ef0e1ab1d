from __future__ import annotations

import microveil as mv
from microveil.tabulation.losses import losses_by_level
from tests.tabulation.instances import people


def test_losses_stand_where_cells_were_suppressed() -> None:
    frame = people({("a", "f"): 5, ("a", "m"): 1, ("b", "f"): 7, ("b", "m"): 9}, ["town", "sex"])
    made = mv.tabulate(frame, mv.Tabulation(by=["town", "sex"]))
    top, middle, finest = losses_by_level(made)
    assert (top.n_cells, middle.n_cells, finest.n_cells) == (1, 4, 4)
    assert (top.n_suppressed, middle.n_suppressed, finest.n_suppressed) == (0, 0, 4)
    assert (top.value_share, finest.value_share) == (1.0, 0.0)
