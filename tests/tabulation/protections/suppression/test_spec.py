from __future__ import annotations

import polars as pl
import pytest

import microveil as mv


def test_the_only_contributor_learns_no_neighbour() -> None:
    # Two unsafe cells in each line, one of them of a single firm: who owns it would know the other.
    frame = pl.DataFrame(
        {
            "a": ["x", "x", "x", "y", "y", "y", "y", "z", "z", "z", "z", "z", "z"],
            "b": ["u", "v", "v", "u", "u", "u", "v", "u", "u", "u", "v", "v", "v"],
        }
    )
    table = mv.Tabulation(by=["a", "b"])
    outside = mv.tabulate(frame, table, protect=mv.Suppress(singletons=False, cost="cells"))
    inside = mv.tabulate(frame, table, protect=mv.Suppress(cost="cells"))
    assert outside.holds
    assert inside.holds
    assert inside.facts[0]["n_published"] <= outside.facts[0]["n_published"]


@pytest.mark.parametrize("cost", ["cells", "contributors", "value"])
def test_the_cheapest_pattern_costs_no_more_than_the_quick_one(cost: str) -> None:
    frame = pl.DataFrame({"a": list("xxxxyyyzzzzzww") * 2, "b": list("uvuvuvuvuvwwuv") * 2})
    table = mv.Tabulation(by=["a", "b"])
    quick, best = (
        mv.tabulate(frame, table, protect={"protection": "suppress", "method": one, "cost": cost})
        for one in ("heuristic", "optimal")
    )
    assert best.facts[0]["price"] <= quick.facts[0]["price"] + 1e-9
    assert best.facts[0]["lowest_price"] == pytest.approx(best.facts[0]["price"])
