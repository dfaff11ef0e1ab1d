from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, SpecError
from microveil.methods.group_rare import GroupRare
from microveil.methods.parts.base import Outcome
from microveil.tables import Table

PETS = ["cat"] * 5 + ["dog"] * 3 + ["owl", "eel", None]


def outcome(values: Any, **how: Any) -> Outcome:
    return GroupRare(columns="x", **how).apply(Table({"x": values}), np.random.default_rng(0))


def test_rare_categories_share_a_label() -> None:
    after = outcome(PETS, min_count=3)
    assert after.table.frame["x"].to_list() == ["cat"] * 5 + ["dog"] * 3 + ["other"] * 2 + [None]


def test_a_group_that_is_still_too_small_is_said() -> None:
    assert outcome(PETS, min_count=3).facts == {
        "n_changed": {"x": 2},
        "n_missing": {"x": 1},
        "n_grouped_categories": {"x": 2},
        "n_label_records": {"x": 2},
        "label_too_small": ["x"],
    }


def test_a_group_that_is_still_too_small_takes_in_the_next_rarest() -> None:
    after = outcome(PETS, min_count=3, enlarge=True)
    assert after.table.frame["x"].to_list() == ["cat"] * 5 + ["other"] * 5 + [None]
    assert after.facts["label_too_small"] == []


@given(
    st.lists(st.sampled_from("abcdefgh") | st.none(), max_size=60),
    st.integers(2, 8),
    st.booleans(),
)
def test_no_category_is_rare_afterwards_but_the_label(
    values: list[str | None],
    min_count: int,
    enlarge: bool,  # noqa: FBT001  a drawn parameter
) -> None:
    series = pl.Series(values, dtype=pl.String)
    after = outcome(series, min_count=min_count, enlarge=enlarge)
    counts = Counter(value for value in after.table.frame["x"] if value is not None)
    n_label = counts.pop("other", 0)
    assert all(count >= min_count for count in counts.values())
    assert after.facts["n_label_records"]["x"] == n_label
    assert (after.facts["label_too_small"] == ["x"]) is (0 < n_label < min_count)
    if enlarge and counts:
        assert n_label == 0 or n_label >= min_count


@pytest.mark.parametrize(("min_share", "n_labelled"), [(0.1, 0), (0.2, 2), (0.4, 5)])
def test_rare_can_be_a_share_of_the_records_that_have_a_value(
    min_share: float, n_labelled: int
) -> None:
    assert outcome(PETS, min_share=min_share).facts["n_label_records"] == {"x": n_labelled}


def test_a_category_that_bears_the_label_joins_the_group() -> None:
    values = ["cat"] * 3 + ["other", "owl", "eel"]
    after = outcome(values, min_count=3)
    assert after.table.frame["x"].to_list() == ["cat"] * 3 + ["other"] * 3
    assert after.facts["n_label_records"] == {"x": 3}
    assert after.facts["label_too_small"] == []


def test_without_a_label_rare_values_become_missing() -> None:
    after = outcome([1, 1, 2, None], min_count=2, label=None).table.frame["x"]
    assert after.dtype == pl.Int64
    assert after.to_list() == [1, 1, None, None]


def test_numbers_are_read_as_categories_and_become_text() -> None:
    assert outcome([1.0, 1.0, 2.5], min_count=2).table.frame["x"].to_list() == ["1", "1", "other"]


def test_a_category_that_is_gone_leaves_no_trace_in_the_type() -> None:
    kind = pl.Enum(["owl", "cat", "dog"])
    after = outcome(pl.Series(["cat", "cat", "owl"], dtype=kind), min_count=2).table.frame["x"]
    assert after.dtype == pl.Enum(["cat", "other"])


@pytest.mark.parametrize("label", ["other", None])
def test_every_kind_of_column_keeps_its_gaps(any_column: pl.Series, label: str | None) -> None:
    step = GroupRare(columns="x", min_count=2, label=label)
    after = step.protect(any_column.to_frame())["x"]
    rare = any_column.is_in(any_column.filter(any_column.is_unique()).implode()).fill_null(
        value=False
    )
    missing = any_column.is_null() | rare if label is None else any_column.is_null()
    assert after.is_null().equals(missing)
    assert label is not None or after.dtype == any_column.dtype


def test_an_empty_table_stays_empty() -> None:
    assert outcome(pl.Series([], dtype=pl.String), min_count=2, enlarge=True).table.height == 0


def test_what_is_rare_must_be_said() -> None:
    with pytest.raises(SpecError, match="Define what is rare"):
        GroupRare.parse({"columns": ["x"]})


def test_nested_cells_are_refused_by_name(nested: pl.DataFrame) -> None:
    with pytest.raises(ColumnError, match=r"Step 'group_rare' cannot use column 'x'"):
        GroupRare(columns="x", min_count=2).protect(nested)


def test_counts_need_the_whole_table() -> None:
    assert not GroupRare(columns="x", min_count=2).row_wise
