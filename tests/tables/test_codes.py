from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil.tables import codes as codes_module
from microveil.tables.class_sources import GroupedSource, PackedSource
from microveil.tables.codes import Codes, encode, pack
from tests.tables.cases import rows, table


def test_keys_that_fill_more_than_one_number_are_told_apart() -> None:
    """Three keys of 30 bits: without numbering anew, 0 and 16 in the first would be one."""
    top = 2**30 - 1
    frame = pl.DataFrame({"a": [0, 16, 32, 0, top], "b": [0, 0, 0, 0, top], "c": [0, 0, 0, 0, top]})
    packed = pack(frame, ["a", "b", "c"])
    assert len(np.unique(packed.values)) == 4
    assert packed.values.min() >= 0
    assert packed.values.max() < packed.radix <= codes_module.PACKED_LIMIT
    classes = mv.Classes.of(mv.Table(frame, mv.Roles(quasi_identifiers=["a", "b", "c"])))
    assert classes.of_records(classes.sizes).tolist() == [2, 1, 1, 2, 1]


@given(rows, st.integers(2, 40))
def test_however_small_the_room_equal_keys_stay_equal(
    records: list[tuple[Any, ...]], limit: int
) -> None:
    data = table(records)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(codes_module, "PACKED_LIMIT", limit)
        tight = pack(data.frame, ["a", "b", "c"]).values
    for i, one in enumerate(records):
        assert [tight[i] == other for other in tight] == [one == other for other in records]


@given(rows)
def test_packed_and_grouped_classes_are_the_same(records: list[tuple[Any, ...]]) -> None:
    data = table(records)
    keys = ("a", "b", "c")
    packed, grouped = PackedSource(data.frame, keys), GroupedSource(data.frame, keys, None)
    for source in (packed, grouped):
        assert source.class_counts[source.record_class].tolist() == [
            Counter(records)[record] for record in records
        ]
        assert source.keys[source.record_class].rows() == records


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([255, None, 0], dtype=pl.UInt8),
        pl.Series([-128, 127, None], dtype=pl.Int8),
        pl.Series([2**63 - 1, -(2**63), None]),
        pl.Series([2**64 - 1, 0, None], dtype=pl.UInt64),
        pl.Series([True, None, False]),
        pl.Series([None, None], dtype=pl.String),
        pl.Series(["x", None, "y"], dtype=pl.Categorical),
        pl.Series(["x", None, "y"], dtype=pl.Enum(["y", "x"])),
        pl.Series([b"x", None, b"\xff"], dtype=pl.Binary),
    ],
    ids=lambda series: str(series.dtype),
)
def test_codes_are_equal_exactly_where_values_are(values: pl.Series) -> None:
    codes = encode(values)
    expected = np.array([[a == b for b in values.to_list()] for a in values.to_list()])
    assert ((codes.values[:, None] == codes.values) == expected).all()
    assert codes.values.min() >= 0
    assert codes.values.max() < codes.radix


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_blocks_and_threads_pack_and_count_like_one_pass(
    monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    rng = np.random.default_rng(1)
    texts = rng.choice(["x", "y", "z"], 1000).tolist()
    frame = pl.DataFrame({"a": rng.integers(5, 9, 1000), "b": texts, "c": [None, 3] * 500})
    expected = pack(frame, ["a", "b", "c"])
    counts = np.bincount(expected.values, minlength=expected.radix)
    monkeypatch.setattr(codes_module, "ON_CORES_FROM", 0)
    monkeypatch.setattr(codes_module, "BLOCK", 64)
    monkeypatch.setattr(codes_module, "CACHED", 10)
    with mv.settings.using(threads=threads):
        found = pack(frame, ["a", "b", "c"])
        assert codes_module.count_codes(found).tolist() == counts.tolist()
    assert found.radix == expected.radix
    assert found.values.tolist() == expected.values.tolist()


@given(st.lists(st.integers(0, 30), max_size=40))
def test_codes_are_numbered_alike_by_a_table_and_by_sorting(values: list[int]) -> None:
    codes = Codes(np.array(values, dtype=np.int64), 31)
    expected = np.unique(codes.values, return_index=True, return_inverse=True, return_counts=True)
    for cells in (0, 1000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(codes_module, "TABLE", cells)
            for one, other in zip(codes_module.number_codes(codes), expected, strict=True):
                assert one.tolist() == other.tolist()
