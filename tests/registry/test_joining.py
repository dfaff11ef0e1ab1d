from __future__ import annotations

from collections.abc import Sequence

import polars as pl
import pytest

import microveil as mv
from microveil.registry import joining
from microveil.registry.joining import join_people
from microveil.registry.keyed_hashes import KeyedHashes
from microveil.registry.signatures import Signatures, sign_table

HASHES = KeyedHashes(b"k" * 32)


def signed(people: Sequence[int | None], keys: list[int], by: str = "id") -> Signatures:
    table = mv.Table({"a": keys}, mv.Roles(quasi_identifiers=["a"]))
    return sign_table(HASHES, table, pl.Series(people, dtype=pl.Int64), people_by=by)


def test_only_people_in_the_new_and_an_earlier_release_are_joined() -> None:
    found = join_people([signed([1, 2, None], [0, 0, 0]), signed([2, 3, None], [1, 1, 1])])
    assert found.n_people == 1
    assert found.single


def test_patterns_are_the_sets_of_releases_that_people_are_in() -> None:
    found = join_people([signed([1], [0]), signed([1, 2], [0, 0]), signed([1, 2, 3], [0, 0, 0])])
    assert [(one.columns, one.n_people) for one in found.patterns()] == [
        (("r0", "r1", "new"), 1),
        (("r1", "new"), 1),
    ]
    last = list(found.patterns())[-1]
    assert found.candidates(last).height == 2


def test_rows_and_columns_cannot_be_compared() -> None:
    with pytest.raises(mv.InputError, match="--person"):
        join_people([signed([1], [0]), signed([1], [0], by="rows")])


def test_too_many_pairs_make_all_records_of_a_person_one_class(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    many = [signed([1] * 9 + [2] * 9, [*range(9), *range(9)]) for _ in range(2)]
    assert join_people(many).rows.height == 162
    monkeypatch.setattr(joining, "MOST_ROWS", 100)
    assert join_people(many).rows.height == 2
