from __future__ import annotations

import hashlib
import hmac

import polars as pl
import pytest

from microveil.errors import InputError
from microveil.methods.parts.persons import keyed_numbers, person_column, person_texts
from microveil.tables import Roles, Table


def test_the_column_is_the_one_named_or_the_entity() -> None:
    table = Table({"pid": [1], "other": [2]}, Roles(entity="pid"))
    assert person_column(table, None, "step") == "pid"
    assert person_column(table, "other", "step") == "other"
    with pytest.raises(InputError, match="needs to know whose a row is"):
        person_column(Table({"pid": [1]}), None, "step")
    with pytest.raises(InputError, match="No column 'pit'"):
        person_column(table, "pit", "step")


def test_ids_of_one_person_are_one_text_whatever_their_type() -> None:
    texts = [
        person_texts(Table({"pid": values}), "pid", "step").to_list()
        for values in ([1, 20], [1.0, 20.0], ["1", "20"])
    ]
    assert texts == [["1", "20"]] * 3


def test_numbers_are_those_of_the_keyed_hash() -> None:
    def number(text: str) -> int:
        return int.from_bytes(hmac.digest(b"key", text.encode(), hashlib.sha256)[:8]) >> 2

    assert keyed_numbers(pl.Series(["é", "b", "é"]), b"key").tolist() == [
        number("é"),
        number("b"),
        number("é"),
    ]
    assert keyed_numbers(pl.Series([], dtype=pl.String), b"key").tolist() == []
