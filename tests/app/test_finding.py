"""Find me: who is left, and what is learnt."""

from __future__ import annotations

import polars as pl
import pytest

from microveil.app.finding import find
from microveil.errors import InputError

PEOPLE = pl.DataFrame(
    {
        "age": [31, 34, 45, 47],
        "town": ["Tartu", "Tartu", "Pärnu", "Pärnu"],
        "ill": ["flu", "flu", "asthma", "flu"],
    }
)


def test_who_knows_enough_finds_one_and_learns_all() -> None:
    found = find("original", PEOPLE, {"age": "45", "town": "Pärnu"}, ["ill"])
    assert (found.n_left, found.n_records) == (1, 4)
    assert found.learnt[0].certain
    assert found.learnt[0].likeliest == (("asthma", 1.0),)


def test_a_range_covers_what_lies_in_it_and_a_blank_may_be_anything() -> None:
    released = pl.DataFrame(
        {"age": ["[30, 40)", "[30, 40)", "[40, 50)", None], "ill": PEOPLE["ill"]}
    )
    found = find("released", released, {"age": "34"}, ["ill"])
    assert found.n_left == 3
    assert found.learnt[0].likeliest == (("flu", 1.0),)


def test_everybody_left_with_one_secret_tells_it_although_nobody_is_found() -> None:
    found = find("original", PEOPLE, {"town": "Tartu"}, ["ill"])
    assert found.n_left == 2
    assert found.learnt[0].certain


def test_a_label_that_cannot_be_read_is_known_by_what_it_stood_for() -> None:
    released = PEOPLE.with_columns(town=pl.Series(["south", "south", "west", "west"]))
    without = find("released", released, {"town": "Tartu"}, [])
    assert without.n_left == 0
    beside = find("released", released, {"town": "Tartu"}, [], {"town": PEOPLE["town"]})
    assert beside.n_left == 2


def test_what_is_left_empty_or_gone_is_not_known() -> None:
    assert find("original", PEOPLE, {"age": " ", "name": "Siim"}, []).n_left == 4


def test_nobody_fits_what_is_not_there() -> None:
    found = find("original", PEOPLE, {"age": "99"}, ["ill"])
    assert (found.n_left, found.learnt) == (0, ())


def test_words_for_a_number_are_told_without_the_words() -> None:
    with pytest.raises(InputError, match="type a number") as told:
        find("original", PEOPLE, {"age": "thirty"}, [])
    assert "thirty" not in str(told.value)
