from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.registry.keyed_hashes import KeyedHashes
from microveil.registry.published_tables import (
    PublishedTable,
    difference_tables,
    difference_with_release,
    hash_table,
    pack_tables,
    unpack_tables,
)
from microveil.registry.signatures import sign_table

HASHES = KeyedHashes(b"k" * 32)
FRAME = pl.DataFrame({"town": ["a"] * 10 + ["b"] * 8, "sex": list("fm") * 9})


def table_of(frame: pl.DataFrame) -> PublishedTable:
    made = mv.tabulate(frame, mv.Tabulation(by=["town", "sex"]))
    (published,) = made.frames.values()
    return hash_table(HASHES, published, ["town", "sex"], "Total")


def test_a_record_that_was_left_out_is_seen_by_differencing() -> None:
    published = table_of(FRAME)
    roles = mv.Roles(quasi_identifiers=["town", "sex"])
    # One lacks in its cell, both margins and in all; six are three in each cell and in each sex.
    for n, small in ((0, 0), (1, 4), (6, 4)):
        left = mv.Table(FRAME[n:], roles)
        signed = sign_table(HASHES, left, pl.Series(range(left.height)), people_by="row")
        found = difference_with_release(published, signed, 5)
        assert found.n_compared == 9
        assert found.n_small == small, n


def test_two_tables_of_almost_the_same_people_differ_by_few() -> None:
    found = difference_tables(table_of(FRAME), table_of(FRAME[2:]), 5)
    assert found.n_small > 0
    assert difference_tables(table_of(FRAME), table_of(FRAME), 5).n_small == 0


def test_tables_survive_packing() -> None:
    one = table_of(FRAME)
    (back,) = unpack_tables(pack_tables([one]))
    assert difference_tables(one, back, 99).n_small == 0
    assert back.cells.tolist() == one.cells.tolist()
    with pytest.raises(mv.FileError, match="damaged"):
        unpack_tables(b"nothing")
