"""Lots drawn for the rows decide where values go, within their groups."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.planning.methods.cases import in_parts
from tests.planning.test_parts_equal_whole import people

pytest.importorskip("duckdb")
pytestmark = pytest.mark.usefixtures("on_disk")


def test_permuted_values_stay_within_their_groups(tmp_path: Path) -> None:
    frame = people()
    after, _ = in_parts(
        {"method": "permute", "columns": ["pay"], "within": ["sex", "town"]}, frame, tmp_path
    )
    for one, two in zip(
        frame.partition_by("sex", "town"), after.partition_by("sex", "town"), strict=True
    ):
        assert one["pay"].sort().equals(two["pay"].sort())


def test_columns_move_together_or_apart(tmp_path: Path) -> None:
    frame = people(200).with_columns(pl.col("pay").alias("paid"))
    step = {"method": "permute", "columns": ["pay", "paid"]}
    apart, _ = in_parts(step, frame, tmp_path)
    assert not apart["pay"].equals(apart["paid"])
    together, _ = in_parts({**step, "together": True}, frame, tmp_path)
    assert together["pay"].equals(together["paid"], check_names=False)
    assert not together["pay"].equals(frame["pay"])


def test_records_alone_in_their_group_are_counted(tmp_path: Path) -> None:
    frame = people(4).with_columns(pl.Series("sex", ["f", "f", "m", None]))
    within = {"method": "permute", "columns": ["pay"], "within": ["sex"]}
    after, facts = in_parts(within, frame, tmp_path)
    assert facts["n_alone"] == 2
    assert after["pay"].to_list()[2:] == frame["pay"].to_list()[2:]
    anywhere = {"method": "permute", "columns": ["pay"]}
    assert in_parts(anywhere, frame, tmp_path)[1]["n_alone"] == 0
    assert in_parts(anywhere, frame.head(1), tmp_path)[1]["n_alone"] == 1
