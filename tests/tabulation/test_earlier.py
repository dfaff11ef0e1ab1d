from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from tests.tabulation.instances import people

COUNTS = {
    ("a", "f", "p"): 4, ("a", "m", "p"): 3, ("b", "f", "p"): 5, ("b", "m", "q"): 2,
    ("a", "f", "q"): 6, ("b", "f", "q"): 4, ("a", "m", "q"): 3, ("b", "m", "p"): 3,
}  # fmt: skip
FRAME = people(COUNTS, ["town", "sex", "kind"])
BEFORE = mv.Tabulation(by=["town", "sex"])
NOW = mv.Tabulation(by=["town", "sex", "kind"])


def test_what_was_published_before_stays_published(tmp_path: Path) -> None:
    (shown,) = mv.tabulate(FRAME, BEFORE).frames.values()
    assert shown["value"].null_count() == 0
    shown.write_csv(tmp_path / "before.csv")
    file = {"table": BEFORE.to_dict(), "file": str(tmp_path / "before.csv")}
    for earlier in ((BEFORE, shown), file):
        made = mv.tabulate(FRAME, NOW, earlier=[earlier])
        (frame,) = made.frames.values()
        assert frame.filter(kind="Total")["value"].null_count() == 0
        assert frame["value"].null_count() > 0
    alone = mv.tabulate(FRAME, NOW, protect=mv.Suppress(cost="cells"))
    assert list(alone.frames) == [NOW.title]


def test_a_cell_with_another_value_than_before_is_named() -> None:
    (shown,) = mv.tabulate(FRAME, BEFORE).frames.values()
    other = shown.with_columns(
        pl.when(pl.col("value") == 10).then(11).otherwise("value").alias("value")
    )
    with pytest.raises(mv.InputError, match="a × f × Total was published before"):
        mv.tabulate(FRAME, NOW, earlier=[(BEFORE, other)])
