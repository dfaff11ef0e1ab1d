"""A hierarchy lists each value once, nests, and generalises without naming a value."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, HierarchyError
from microveil.hierarchies import Distinct, Hierarchy

CITIES = Hierarchy.of(
    [
        pl.Series(["Lyon", "Paris", "Rome", "Oslo"]),
        pl.Series(["FR", "FR", "IT", "NO"]),
        pl.Series(["EU", "EU", "EU", "other"]),
    ],
    ["city", "country", "union"],
)


def text_hierarchy(*values: str) -> Hierarchy:
    return Hierarchy.of([pl.Series(values), pl.Series([f"group {value}" for value in values])])


def test_a_star_is_put_on_top_where_it_is_lacking() -> None:
    assert CITIES.names == ("city", "country", "union", "*")
    assert CITIES.frame.to_series(-1).to_list() == ["*"] * 4


def test_a_star_on_top_is_not_put_there_twice() -> None:
    levels = [pl.Series(["a", "b"]), pl.Series(["*", "*"])]
    assert Hierarchy.of(levels).n_levels == 2


def test_levels_are_found_by_number_and_by_name() -> None:
    assert [CITIES.level_index(level) for level in (0, "country", "2", "*")] == [0, 1, 2, 3]
    assert (CITIES.n_levels, CITIES.height, CITIES.n_values) == (4, 3, 4)


def test_a_misspelt_level_gets_a_hint() -> None:
    with pytest.raises(HierarchyError, match=r"No level 'contry'.*Did you mean 'country'\?"):
        CITIES.level_index("contry")


@pytest.mark.parametrize("level", [4, -1, "17"])
def test_a_level_beyond_the_last_says_which_there_are(level: int | str) -> None:
    with pytest.raises(HierarchyError, match="its levels are 0 to 3"):
        CITIES.level_index(level)


def test_codes_labels_and_leaf_counts_speak_of_the_same_labels() -> None:
    assert CITIES.codes.tolist() == [[0, 0, 0, 0], [1, 0, 0, 0], [2, 1, 0, 0], [3, 2, 1, 0]]
    assert CITIES.codes.dtype == np.int32
    assert CITIES.labels("country").to_list() == ["FR", "IT", "NO"]
    assert CITIES.n_labels == (4, 3, 2, 1)
    assert CITIES.leaf_counts(1).tolist() == [2, 1, 1]
    assert CITIES.parents(1).tolist() == [0, 0, 1]
    assert CITIES.groups(2).rows() == [("EU", 3), ("other", 1)]


def test_nothing_is_above_the_last_level() -> None:
    with pytest.raises(HierarchyError, match="there is none above it"):
        CITIES.parents("*")


def test_missing_stays_missing_and_the_name_stays() -> None:
    out = CITIES.generalize(pl.Series("home", ["Rome", None, "Paris"]), "country")
    assert out.to_list() == ["IT", None, "FR"]
    assert out.name == "home"
    assert out.dtype == pl.String


def test_level_0_is_the_column_itself() -> None:
    column = pl.Series("home", ["Rome", None])
    assert CITIES.generalize(column, 0) is column


def test_a_gap_is_counted_and_no_value_named() -> None:
    column = pl.Series("home", ["Rome", "Secretville", "Secretville", "Hiddenham", None])
    with pytest.raises(HierarchyError) as caught:
        CITIES.generalize(column, 1)
    message = str(caught.value)
    assert "Column 'home': 2 distinct values (3 records) are not in the hierarchy" in message
    assert "Secret" not in message
    assert "Hidden" not in message


@pytest.mark.parametrize(("level", "listed"), [(0, "Rome"), (1, "IT"), (3, "*")])
def test_a_gap_becomes_a_star_on_request(level: int, listed: str) -> None:
    out = CITIES.generalize(pl.Series(["Rome", "Nowhere", None]), level, unlisted="star")
    assert out.to_list() == [listed, "*", None]


@pytest.mark.parametrize(
    ("listed", "values"),
    [
        ("34", pl.Series([34])),
        ("34", pl.Series([34], dtype=pl.UInt8)),
        ("34", pl.Series([34.0])),
        ("34.0", pl.Series([34])),
        (" 34", pl.Series([34])),
        ("0.1", pl.Series([0.1], dtype=pl.Float32)),
        ("2.50", pl.Series([2.5])),
        ("2.5", pl.Series([Decimal("2.50")])),
        ("2021-03-04", pl.Series([date(2021, 3, 4)])),
        ("2021-03-04", pl.Series([datetime(2021, 3, 4)])),  # noqa: DTZ001  a column without zones
        ("2021-03-04T05:06:07", pl.Series([datetime(2021, 3, 4, 5, 6, 7)])),  # noqa: DTZ001
        ("True", pl.Series([True])),
        ("x", pl.Series(["x"], dtype=pl.Categorical())),
        ("x", pl.Series(["x"], dtype=pl.Enum(["x", "y"]))),
    ],
)
def test_values_match_text_by_what_they_mean(listed: str, values: pl.Series) -> None:
    assert text_hierarchy(listed).generalize(values, 1).to_list() == [f"group {listed}"]


def test_text_matches_text_to_the_letter() -> None:
    out = text_hierarchy("08003").generalize(pl.Series(["8003", "08003"]), 1, unlisted="star")
    assert out.to_list() == ["*", "group 08003"]


def test_a_typed_hierarchy_serves_columns_of_other_types() -> None:
    typed = Hierarchy.of([pl.Series([1, 2]), pl.Series(["one", "two"])])
    for column in (pl.Series([2.0]), pl.Series(["2"]), pl.Series([2], dtype=pl.Int8)):
        assert typed.generalize(column, 1).to_list() == ["two"]


def test_two_spellings_of_one_number_are_refused() -> None:
    with pytest.raises(HierarchyError, match="1 values of the hierarchy for column 'n' mean the"):
        text_hierarchy("34", "034").generalize(pl.Series("n", [34]), 1)


def test_identical_rows_count_once() -> None:
    doubled = Hierarchy.of([pl.Series(["a", "a", "b"]), pl.Series(["x", "x", "x"])])
    assert doubled.n_values == 2


def test_a_value_in_two_places_is_refused_without_naming_it() -> None:
    with pytest.raises(HierarchyError, match="repeats 1 value with different labels") as caught:
        Hierarchy.of([pl.Series(["secret", "secret"]), pl.Series(["x", "y"])])
    assert "secret" not in str(caught.value)


def test_levels_that_do_not_nest_are_refused_with_their_place() -> None:
    levels = [pl.Series(["a", "b", "c"]), pl.Series(["x", "x", "y"]), pl.Series(["1", "2", "2"])]
    with pytest.raises(HierarchyError, match=r"1 label of level 1 \('mid'\) .* level 2 \('high'\)"):
        Hierarchy.of(levels, ["low", "mid", "high"])


@pytest.mark.parametrize("gap", ["", None])
def test_a_gap_in_a_level_is_refused_with_its_place(gap: str | None) -> None:
    with pytest.raises(HierarchyError, match="1 row without a label at level 1"):
        Hierarchy.of([pl.Series(["a", "b"]), pl.Series(["x", gap])])


def test_a_hierarchy_without_levels_is_refused() -> None:
    with pytest.raises(HierarchyError, match="empty"):
        Hierarchy.of([])


@pytest.mark.parametrize(
    ("names", "message"), [(["a"], "1 level name for"), (["a", "a"], "same name")]
)
def test_level_names_must_be_enough_and_distinct(names: list[str], message: str) -> None:
    with pytest.raises(HierarchyError, match=message):
        Hierarchy.of([pl.Series(["a"]), pl.Series(["x"])], names)


def test_a_broken_top_made_by_hand_is_found() -> None:
    with pytest.raises(HierarchyError, match=r"last level must be `\*`"):
        Hierarchy(pl.DataFrame({"a": ["p", "q"], "b": ["x", "y"]})).validate()


def test_nested_cells_are_refused() -> None:
    with pytest.raises(ColumnError, match="nested"):
        CITIES.generalize(pl.Series("home", [["Rome"]]), 1)


def test_an_empty_column_stays_empty() -> None:
    assert CITIES.generalize(pl.Series("home", [], dtype=pl.String), 1).to_list() == []


def test_numbers_far_apart_need_no_table_of_their_span() -> None:
    found = Distinct.of(pl.Series([5, 2_000_000_000, None, 5]))
    assert found.values.to_list() == [5, 2_000_000_000]
    assert found.of_record.tolist() == [0, 1, 2, 0]


columns: st.SearchStrategy[list[Any]] = st.one_of(
    st.lists(st.none() | st.integers(-(2**40), 2**40)),
    st.lists(st.none() | st.floats(allow_nan=False)),
    st.lists(st.none() | st.text(max_size=3)),
    st.lists(st.none() | st.dates()),
    st.lists(st.none() | st.booleans()),
)


@given(columns)
def test_distinct_values_and_positions_give_the_column_back(cells: list[Any]) -> None:
    series = pl.Series("c", cells, strict=False)
    found = Distinct.of(series)
    assert found.values.n_unique() == len(found.values)
    assert found.spread(found.values.clone()).to_list() == series.to_list()
    assert found.records_of(np.ones(len(found.values), dtype=np.bool_)) == series.drop_nulls().len()


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3)), min_size=1))
def test_generalising_equals_looking_up_in_a_dictionary(pairs: list[tuple[int, int]]) -> None:
    parent = dict(pairs)
    hierarchy = Hierarchy.of(
        [pl.Series(list(parent)), pl.Series([f"g{label}" for label in parent.values()])]
    )
    cells = [value for value, _ in pairs]
    out = hierarchy.generalize(pl.Series(cells), 1).to_list()
    assert out == [f"g{parent[value]}" for value in cells]
