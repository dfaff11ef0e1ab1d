from __future__ import annotations

import polars as pl

import microveil as mv


def test_a_class_that_gained_one_person_shows_that_person() -> None:
    first = pl.DataFrame({"id": range(10), "a": [0] * 5 + [1] * 5})
    second = pl.concat([first[1:], pl.DataFrame({"id": [10], "a": [1]})])
    roles = mv.Roles(quasi_identifiers=["a"])
    found = mv.intersection_attack([first, second], roles, person="id", k=3)
    arrivals = found.pairs[0].arrivals
    assert arrivals is not None
    assert arrivals.to_dict() == {"n_joined": 1, "n_left": 1}


def test_other_keys_cannot_be_subtracted() -> None:
    first = pl.DataFrame({"id": range(4), "a": [0] * 4})
    second = first.rename({"a": "b"})
    roles = [mv.Roles(quasi_identifiers=[name]) for name in ("a", "b")]
    found = mv.intersection_attack([first, second], roles, person="id", k=2)
    assert found.pairs[0].arrivals is None
