from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.tables import Table
from microveil.tabulation.sources import record_source
from microveil.tabulation.sources.record_source import PartsSource, RunningSums, TableSource

FRAME = pl.DataFrame({"town": list("abcabcab"), "sex": list("ffmmffmm")})
TABLES = [mv.Tabulation(by=["town", "sex"]), mv.Tabulation(by=["sex"])]


def test_what_waits_is_added_up_before_it_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_source, "MOST_WAITING", 3)
    parts = PartsSource(FRAME.iter_slices(2)).gather(TABLES)
    whole = TableSource(Table(FRAME)).gather(TABLES)
    for one, other in zip(parts, whole, strict=True):
        assert one.sums.sort(one.sums.columns).equals(other.sums.sort(other.sums.columns))
        assert one.n_records == other.n_records == 8


def test_no_part_has_a_row_is_an_error() -> None:
    with pytest.raises(mv.InputError, match="no rows"):
        RunningSums(TABLES).close()
