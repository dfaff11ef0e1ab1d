from __future__ import annotations

import polars as pl

from microveil.app.suggesting.proposal import losses_of


def test_losses_are_told_by_column_without_values() -> None:
    before = pl.DataFrame({"age": [31, 42, 53, 64], "zip": ["a", "b", "c", "d"]})
    after = pl.DataFrame({"age": ["<50", "<50", None, "≥50"]})
    age, code = losses_of(before, after, ["age", "zip"])
    assert (age.n_before, age.n_after, age.blanked_share) == (4, 2, 0.25)
    assert age.kept == 2 / 6
    assert "33.3%" in age.sentence()
    assert code.gone
    assert "given up" in code.sentence()
