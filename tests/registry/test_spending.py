from __future__ import annotations

import microveil as mv
from microveil.registry.spending import add_up


def test_losses_of_one_source_add_up_and_of_budgets_the_last_note_counts() -> None:
    entries = [
        mv.ReleaseEntry("1", "", "synthesis", "s", privacy_loss={"epsilon": 1.0, "delta": 1e-6}),
        mv.ReleaseEntry("2", "", "queries", "s", privacy_loss={"epsilon": 0.5, "epsilon_cap": 3.0}),
        mv.ReleaseEntry("3", "", "queries", "s", privacy_loss={"epsilon": 0.75}),
        mv.ReleaseEntry("4", "", "microdata", "s"),
    ]
    assert add_up(entries, {"epsilon": 2}) == {"epsilon": 3.75, "delta": 1e-6}
    assert add_up([]) == {}
