"""Codes masked or cut character by character."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from microveil.errors import ColumnError, SpecError
from microveil.hierarchies import Digits, HierarchyBuilder, Prefix


def rows(spec: HierarchyBuilder, *values: Any) -> list[tuple[Any, ...]]:
    return spec.build(pl.Series(values)).frame.rows()


def test_codes_are_masked_from_the_right() -> None:
    assert rows(Digits(), "08003") == [("08003", "0800*", "080**", "08***", "0****", "*")]


def test_codes_are_masked_from_the_left() -> None:
    assert rows(Digits(side="left"), "123") == [("123", "*23", "**3", "*")]


def test_a_code_masked_to_its_end_is_a_star_whatever_its_length() -> None:
    assert rows(Digits(), "1", "123") == [("1", "*", "*", "*"), ("123", "12*", "1**", "*")]


def test_chosen_levels_mask_so_many_characters() -> None:
    assert rows(Digits(masked=[2, 4]), "08003") == [("08003", "080**", "0****", "*")]


def test_shorter_codes_are_filled_up_on_request() -> None:
    assert rows(Digits(pad="0"), 803, 28001) == [
        (803, "0080*", "008**", "00***", "0****", "*"),
        (28001, "2800*", "280**", "28***", "2****", "*"),
    ]
    assert rows(Digits(pad="0", length=4, masked=[1]), "12") == [("12", "001*", "*")]


def test_another_character_may_mask() -> None:
    assert rows(Digits(char="X", masked=[1]), "123") == [("123", "12X", "*")]


def test_letters_beyond_ascii_count_as_one() -> None:
    assert rows(Digits(), "ñé") == [("ñé", "ñ*", "*")]


def test_only_filling_up_to_the_longest_needs_the_whole_column() -> None:
    assert Digits().row_wise
    assert Digits(pad="0", length=5).row_wise
    assert not Digits(pad="0").row_wise


def test_masking_more_than_the_longest_code_gives_the_top() -> None:
    built = Digits().build(pl.Series(["12"]))
    assert Digits().level_index(built, 7) == built.height


def test_the_number_of_chosen_levels_does_not_hang_on_the_codes() -> None:
    short = Digits(masked=[3]).build(pl.Series(["12"]))
    long = Digits(masked=[3]).build(pl.Series(["12345"]))
    assert short.n_levels == long.n_levels


def test_prefixes_keep_first_characters() -> None:
    assert rows(Prefix(lengths=[3, 1]), "C34.1", "C3") == [
        ("C3", "C3", "C", "*"),
        ("C34.1", "C34", "C", "*"),
    ]


def test_prefixes_keep_first_parts() -> None:
    spec = Prefix(lengths=[3, 1], separator=".")
    assert rows(spec, "10.0.7.12") == [("10.0.7.12", "10.0.7", "10", "*")]
    assert rows(Prefix(lengths=[1], separator=" "), "phone Acme") == [("phone Acme", "phone", "*")]


def test_nothing_left_is_a_star() -> None:
    assert rows(Prefix(lengths=[1], separator="/"), "/x") == [("/x", "*", "*")]
    assert rows(Prefix(lengths=[1]), "") == [("", "*", "*")]


def test_nested_cells_are_refused_by_column() -> None:
    with pytest.raises(ColumnError, match=r"'codes'.*nested"):
        Digits().build(pl.Series("codes", [["12"]]))


@pytest.mark.parametrize(
    ("spec", "raw", "message"),
    [
        (Digits, {"masked": [2, 2]}, "ascending"),
        (Digits, {"masked": [0]}, "greater than or equal to 1"),
        (Digits, {"length": 5}, "goes with `pad`"),
        (Digits, {"char": "**"}, "at most 1"),
        (Prefix, {}, "Field required"),
        (Prefix, {"lengths": []}, "at least 1"),
        (Prefix, {"lengths": [1, 3]}, "descending"),
    ],
)
def test_parameters_that_make_no_sense_are_spec_errors(
    spec: type[HierarchyBuilder], raw: dict[str, Any], message: str
) -> None:
    with pytest.raises(SpecError, match=message):
        spec.parse(raw)
