from __future__ import annotations

from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.risk.class_sizes import ClassSizes
from microveil.tables import Roles

SEX = Roles(quasi_identifiers=["sex"])


@given(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1, max_size=30))
def test_risks_are_one_over_the_number_who_share_the_keys(values: list[str | None]) -> None:
    frame = pl.DataFrame({"sex": pl.Series(values, dtype=pl.String)})
    score = ClassSizes().measure(frame, roles=SEX)
    sizes = Counter(values)
    assert score.value == pytest.approx(1 / min(sizes.values()))
    assert score.records is not None
    assert score.records.tolist() == pytest.approx([1 / sizes[value] for value in values])
    assert score.parts["n_unique"] == sum(size == 1 for size in sizes.values())
    assert score.parts["average_risk"] == pytest.approx(len(sizes) / len(values))
    histogram = score.frames["sizes"]
    assert dict(histogram.select("size", "n_classes").iter_rows()) == Counter(sizes.values())
    assert histogram["n_records"].sum() == len(values)


def test_a_missing_key_may_match_everybody() -> None:
    frame = {"sex": ["f", "f", None]}
    assert ClassSizes().measure(frame, roles=SEX).value == 1
    wild = ClassSizes(missing="wildcard").measure(frame, roles=SEX)
    assert wild.parts["k"] >= 2


def test_an_empty_table_is_no_risk() -> None:
    score = ClassSizes().measure(pl.DataFrame(schema={"sex": pl.String}), roles=SEX)
    assert (score.value, score.parts["n_classes"]) == (0, 0)


def test_without_keys_nobody_is_told_from_anybody() -> None:
    score = ClassSizes().measure({"sex": ["f", "m", "m"]})
    assert score.parts["k"] == 3
    assert score.value == pytest.approx(1 / 3)
