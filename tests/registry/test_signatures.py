from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.registry.keyed_hashes import KeyedHashes
from microveil.registry.signatures import ROWS, Signatures, people_of, sign_table

HASHES = KeyedHashes(b"k" * 32)
ROLES = mv.Roles(quasi_identifiers=["a", "b"], sensitive=["s"], scenarios={"boss": ["c"]})
FRAME = pl.DataFrame(
    {"a": [1, 1, None, 2], "b": list("xxxy"), "c": [0, 1, 0, 1], "s": list("pqpq"), "i": range(4)}
)


def signed() -> Signatures:
    return sign_table(HASHES, mv.Table(FRAME, ROLES), FRAME["i"], people_by="i")


def test_signatures_survive_packing_and_hold_no_value() -> None:
    one = signed()
    back = Signatures.unpack(one.pack())
    for name in ("people", "classes", "cells"):
        assert np.array_equal(getattr(one, name), getattr(back, name))
    assert (back.keys, back.people_by, back.missing) == (("a", "b", "c"), "i", "category")
    assert back.sensitive["s"].equals(one.sensitive["s"])
    with pytest.raises(mv.FileError, match="damaged"):
        Signatures.unpack(b"nothing")


def test_fewer_keys_merge_classes_and_their_values() -> None:
    one = signed()
    few = one.restrict(["b"])
    assert few.cells.shape == (2, 1)
    assert few.classes.tolist() == [0, 0, 0, 1]
    assert sorted(few.sensitive["s"].filter(pl.col("class") == 0)["n"].to_list()) == [1, 2]
    assert one.restrict(["a", "b", "c"]) is one


def test_people_are_told_apart_by_a_column_or_by_rows_in_any_order() -> None:
    original = mv.Table(FRAME, ROLES)
    shuffled = mv.Table(FRAME[[2, 0, 3, 1]].select(FRAME.columns[::-1]), ROLES)
    by_rows, how = people_of(original, original, None)
    again, _ = people_of(shuffled, shuffled, None)
    assert how == ROWS
    assert set(HASHES.people(by_rows)) == set(HASHES.people(again))
    some = original.with_frame(FRAME)
    ids, how = people_of(original, some, "i")
    assert (ids.to_list(), how) == ([0, 1, 2, 3], "i")
    with pytest.raises(mv.ColumnError, match="nobody"):
        people_of(original, original, "nobody")
