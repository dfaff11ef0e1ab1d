from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.errors import ColumnError
from microveil.hierarchies import build_hierarchy
from microveil.labels.covering import Covering, covering


def covered(found: Covering) -> dict[str, list[object]]:
    """What each label covers, in plain data."""
    values = found.values.to_list()
    result: dict[str, list[object]] = {str(label): [] for label in found.labels.values.to_list()}
    for label, low, high in zip(found.label, found.low, found.high, strict=True):
        result[str(found.labels.values[int(label)])] += values[low:high]
    return result


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("[30, 49]", [30, 41, 49]),
        ("[30, 49)", [30, 41]),
        ("(30, 49]", [41, 49]),
        ("30-49", [30, 41, 49]),
        ("≥49", [49, 90]),
        (">49", [90]),
        ("<30", []),
        ("4*", [41, 49]),
        ("{30, 90}", [30, 90]),
        ("*", [30, 41, 49, 90]),
        ("41", [41]),
    ],
)
def test_a_label_of_numbers_covers_what_it_describes(label: str, expected: list[int]) -> None:
    ages = pl.Series("age", [30, 41, 49, 90, 30])
    found = covering(ages, pl.Series("age", [label]))
    assert covered(found) == {label: expected}


def test_codes_prefixes_and_dates_are_read() -> None:
    codes = pl.Series("c", ["97222", "97230", "80001"])
    assert covered(covering(codes, pl.Series("c", ["97***", "80"]))) == {
        "97***": ["97222", "97230"],
        "80": ["80001"],
    }
    days = pl.Series("d", ["2021-03-05", "2021-03-09", "2021-04-01"]).str.to_date()
    found = covering(days, pl.Series("d", ["2021-03", "[2021-03-06, 2021-04-01]"]))
    assert {label: len(values) for label, values in covered(found).items()} == {
        "2021-03": 2,
        "[2021-03-06, 2021-04-01]": 2,
    }


def test_global_recoding_is_read_from_pairs_whatever_labels_are_called() -> None:
    towns = pl.Series("t", ["Lyon", "Paris", "Rome", "Paris"])
    found = covering(towns, pl.Series("t", ["x", "x", "y", "x"]), paired=towns)
    assert covered(found) == {"x": ["Lyon", "Paris"], "y": ["Rome"]}


def test_rounding_covers_what_was_rounded() -> None:
    numbers = pl.Series("n", [1, 2, 8, 12])
    found = covering(numbers, pl.Series("n", [0, 0, 10, 10]), paired=numbers)
    assert covered(found) == {"0": [1, 2], "10": [8, 12]}


def test_swapped_values_cover_themselves() -> None:
    towns = pl.Series("t", ["a", "b", "a", "b"])
    found = covering(towns, pl.Series("t", ["b", "a", "a", "b"]), paired=towns)
    assert covered(found) == {"a": ["a"], "b": ["b"]}


def test_labels_that_cannot_be_read_are_counted_and_not_quoted() -> None:
    with pytest.raises(ColumnError, match=r"Column 't': 1 of 2 labels") as caught:
        covering(pl.Series("t", ["Lyon", "Rome"]), pl.Series("t", ["Gallia", "Rome"]))
    assert "Gallia" not in str(caught.value)


def test_a_hierarchy_knows_leaves_that_the_data_lack() -> None:
    tree = build_hierarchy({"tree": {"FR": ["Lyon", "Paris", "Nice"], "IT": ["Rome"]}})
    found = covering(pl.Series("t", ["Lyon"]), pl.Series("t", ["FR", "Rome", "*"]), hierarchy=tree)
    assert found.n_values == 4
    sizes = dict(zip(found.labels.values.to_list(), found.sizes.tolist(), strict=True))
    assert sizes == {"FR": 3, "Rome": 1, "*": 4}


def test_pairs_tell_which_level_a_label_of_several_levels_is_of() -> None:
    ages = pl.Series("age", ["20", "21", "30", "31"])
    tree = build_hierarchy({"tree": {"20": ["20", "21"], "30": ["30", "31"]}})
    tens = pl.Series("age", ["20", "20", "30", "30"])
    paired = covering(ages, tens, paired=ages, hierarchy=tree)
    assert covered(paired) == {"20": ["20", "21"], "30": ["30", "31"]}
    alone = covering(ages, tens, hierarchy=tree)
    assert covered(alone) == {"20": ["20"], "30": ["30"]}
    swapped = covering(
        ages, pl.Series("age", ["30", "20", "20", "30"]), paired=ages, hierarchy=tree
    )
    assert covered(swapped) == {"20": ["20"], "30": ["30"]}


@settings(max_examples=25)
@given(st.lists(st.integers(0, 40), min_size=4, max_size=40), st.integers(2, 4))
def test_mondrian_s_ranges_cover_exactly_the_values_between(values: list[int], k: int) -> None:
    frame = pl.DataFrame({"x": values, "y": values[::-1]})
    after = mv.Mondrian(k=k, columns=["x", "y"]).protect(frame)
    found = covering(frame["x"], after["x"], paired=frame["x"])
    for label, members in covered(found).items():
        ends = label.strip("[]").split(", ")
        expected = [v for v in sorted(set(values)) if int(ends[0]) <= v <= int(ends[-1])]
        seen = {b for b, a in zip(values, after["x"].to_list(), strict=True) if str(a) == label}
        assert seen <= set(members)
        assert members == expected or set(members) == seen  # global recodings go by the pairs


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20))
def test_what_labels_have_is_spread_without_loss(values: list[int]) -> None:
    column = pl.Series("x", values)
    labels = pl.Series("x", [f"[{v - v % 2}, {v - v % 2 + 1}]" for v in values])
    found = covering(column, labels)
    counts = np.bincount(found.labels.of_record, minlength=len(found.sizes)).astype(float)
    assert found.spread(counts).sum() == pytest.approx(len(values))
