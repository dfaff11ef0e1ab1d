from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.registry.keyed_hashes import (
    VARIABLE,
    KeyedHashes,
    content_sha256,
    numbered_rows,
    texts_of,
)

ONE, OTHER = KeyedHashes(b"1" * 32), KeyedHashes(b"2" * 32)


def test_equal_values_have_equal_hashes_under_one_key_only() -> None:
    values = pl.Series("x", ["7", None, "7", "8"])
    found = ONE.cells(values)
    assert found[0] == found[2] != found[3]
    assert found[1] == 0
    assert ONE.cells(values)[0] != OTHER.cells(values)[0]
    assert found[0] != ONE.people(values)[0]
    assert found[0] != ONE.cells(values.alias("y"))[0]


def test_a_number_is_the_same_in_every_type() -> None:
    hashes = {
        int(ONE.people(pl.Series([value], dtype=kind))[0])
        for value, kind in ((7, pl.Int8), (7, pl.Int64), (7.0, pl.Float64), ("7", pl.String))
    }
    assert len(hashes) == 1
    assert texts_of(pl.Series([[1, 2], None])).to_list() == ["[1, 2]", None]


def test_equal_rows_stay_apart_and_order_does_not_matter() -> None:
    frame = pl.DataFrame({"a": [1, 1, 2], "b": [None, None, "x"]})
    assert numbered_rows(frame).n_unique() == 3
    assert content_sha256(frame) == content_sha256(frame[[2, 0, 1]].select("b", "a"))
    assert content_sha256(frame) != content_sha256(frame[[0, 2, 2]])


def test_a_missing_key_says_where_it_belongs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(mv.MicroveilError, match=VARIABLE):
        KeyedHashes.read()
    monkeypatch.setenv(VARIABLE, "x" * 32)
    assert KeyedHashes.read().fingerprint == KeyedHashes(b"x" * 32).fingerprint
