from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.labels.chances import Cover, NumberLabels, TextLabels
from microveil.labels.overlap import overlaps
from microveil.pairs.columns import read_column, read_columns
from microveil.tables import Table


@pytest.mark.parametrize("builder", [{"width": 10}, {"cuts": [20, 40]}])
def test_the_library_s_own_intervals_hold_the_values_they_came_from(
    builder: dict[str, object],
) -> None:
    ages = pl.DataFrame({"age": [3, 20, 29, 30, 40, 77]})
    step = mv.Generalize(column="age", hierarchy={"hierarchy": "intervals", **builder}, level=1)
    column = read_columns(Table(ages), Table(step.protect(ages)), None, ["age"])[0]
    assert column.labels is not None
    for value, label in zip(column.codes[0], column.codes[1], strict=True):
        assert column.labels.contains(label)[value]


def test_mondrian_s_sets_and_ranges_hold_the_values_they_came_from() -> None:
    rng = np.random.default_rng(1)
    towns = np.array(["a", "b, c", "{d}", "e\\f", "g"])
    frame = pl.DataFrame({"age": rng.integers(0, 90, 60), "town": rng.choice(towns, 60)})
    roles = mv.Roles(quasi_identifiers=["age", "town"])
    released = mv.Mondrian(k=5).protect(frame, roles=roles)
    for column in read_columns(Table(frame), Table(released), None, ["age", "town"]):
        assert column.labels is not None
        for value, label in zip(column.codes[0], column.codes[1], strict=True):
            assert column.labels.contains(label)[value], column.name


def test_a_word_stands_for_the_values_it_replaced_where_rows_are_linked() -> None:
    before, after = {"job": ["nurse", "doctor", "cook"]}, {"job": ["health", "health", "food"]}
    linked = read_columns(Table(before), Table(after), None, ["job"])[0]
    assert linked.labels is not None
    health = linked.label_texts.to_list().index("health")
    assert linked.values.filter(linked.labels.contains(health)).to_list() == ["doctor", "nurse"]
    shorter = {"job": ["health", "food"]}
    unlinked = read_columns(Table(before), Table(shorter), None, ["job"])[0]
    assert unlinked.labels is not None
    assert not unlinked.labels.contains(0).any()
    alone = read_columns(Table(before), Table({"job": ["people"] * 2}), None, ["job"])[0]
    assert alone.labels is not None
    assert alone.labels.contains(0).all()


def numbers(values: list[Any], labels: list[str]) -> NumberLabels:
    found = read_column(pl.Series("x", values), pl.Series("x", labels))
    assert isinstance(found.labels, NumberLabels)
    assert found.label_texts.to_list() == labels
    return found.labels


def texts(values: list[str], labels: list[str]) -> TextLabels:
    found = read_column(pl.Series("x", values), pl.Series("x", labels))
    assert isinstance(found.labels, TextLabels)
    assert found.label_texts.to_list() == labels
    return found.labels


def test_masks_and_the_start_of_a_date_stand_for_what_they_begin() -> None:
    values = ["08001", "08002", "2021-03-05", "2021-04-01"]
    labels = texts(values, ["*", "080*", "0800*", "2021", "2021-03"])
    assert [cover.tolist() for cover in labels.covers] == [
        [0, 1, 2, 3],
        [0, 1],
        [0, 1],
        [2, 3],
        [2],
    ]


def test_a_distance_to_a_range_is_the_mean_over_the_values_it_stands_for() -> None:
    labels = numbers([0.0, 32.0, 38.0, 100.0], ["32", "[30, 40]", "nonsense", "riddle"])
    table = labels.distances(np.array([0, 1]))
    assert table[1] == pytest.approx([0.0, 0.03, 1.0, 1.0])
    assert table[0] == pytest.approx([0.32, 0.35, 1.0, 1.0])
    assert labels.chances(np.array([1]), 0.02)[0] == pytest.approx([1.0, 0.5, 0.0, 0.0])
    assert labels.chances(np.array([1]), 0.2)[0] == pytest.approx([1.0, 1.0, 0.0, 0.0])


def test_a_distance_to_a_range_in_which_nobody_was_is_the_mean_over_the_range() -> None:
    labels = numbers([0.0, 35.0, 100.0], ["[40, 60]"])
    assert labels.distances(np.array([1]))[0] == pytest.approx([0.15])
    assert labels.chances(np.array([1]), 0.2)[0] == pytest.approx([0.1])


@pytest.mark.parametrize("x", [18, 19, 25, 30])
@pytest.mark.parametrize("tolerance", [0.0, 0.05, 0.3])
def test_a_range_of_whole_numbers_that_nobody_had_stands_for_each(x: int, tolerance: float) -> None:
    values = sorted({0, 100, x})
    place = np.array([values.index(x)])
    drawn = np.arange(20, 25)
    for label in ("[20, 25)", "20-24", "20—24", "[20..25)", "(19, 24]", "[20, 25["):
        labels = numbers(values, [label])
        right = (np.abs(drawn - x) <= tolerance * x + 1e-12).mean()
        assert labels.chances(place, tolerance)[0] == pytest.approx([right]), label
        assert labels.distances(place)[0] == pytest.approx([np.abs(drawn - x).mean() / 100]), label


@pytest.mark.parametrize("other", ["{20, 22, 24}", "20-24", "[20, 25)", "(19, 24]"])
def test_labels_of_the_same_values_are_as_far_whatever_their_form(other: str) -> None:
    values = [3, 20, 22, 24, 90]
    one, same = numbers(values, ["[19, 25]"]), numbers(values, [other])
    every = np.arange(5)
    assert same.distances(every).tolist() == one.distances(every).tolist()
    assert same.chances(every, 0.1).tolist() == one.chances(every, 0.1).tolist()


def test_a_set_of_numbers_is_each_of_them_and_nothing_between() -> None:
    labels = numbers([20, 40, 60, 100], ["{20,60}"])
    assert labels.contains(0).tolist() == [True, False, True, False]
    assert labels.chances(np.arange(4), 0.0)[:, 0].tolist() == [0.5, 0.0, 0.5, 0.0]
    assert labels.distances(np.array([1]))[0] == pytest.approx([20 / 80])


@pytest.mark.parametrize("label", ["{a, b}", "{a,b}", "{b, a}"])
def test_a_member_drawn_from_a_set_is_right_in_one_of_its_size(label: str) -> None:
    labels = texts(["a", "b", "c"], ["c", label])
    assert labels.chances(np.array([0, 2]), 0.0).tolist() == [[0.0, 0.5], [1.0, 0.0]]
    assert labels.distances(np.array([0, 2])).tolist() == [[1.0, 0.5], [0.0, 1.0]]


def test_labels_are_taken_at_their_word_whatever_rows_they_stand_in() -> None:
    before = {"age": [20, 30, 40, 50]}
    swapped = {"age": ["[40, 60)", "[40, 60)", "[20, 40)", "[20, 40)"]}
    column = read_columns(Table(before), Table(swapped), None, ["age"])[0]
    assert column.labels is not None
    assert column.labels.contains(0).tolist() == [True, True, False, False]


def test_kinds_meet_where_they_mean_the_same() -> None:
    before = {"n": [1, 2], "d": [dt.date(2021, 1, 1), dt.date(2021, 1, 2)], "t": ["1", "2"]}
    moments = [dt.datetime(2021, 1, 1), dt.datetime(2021, 1, 3)]  # noqa: DTZ001
    after = {"n": ["1", "2.0"], "d": moments, "t": [1, 2]}
    number, date, text = read_columns(Table(before), Table(after), None, ["n", "d", "t"])
    assert number.labels is not None
    assert [number.labels.contains(code).tolist() for code in number.codes[1]] == [
        [True, False],
        [False, True],
    ]
    assert date.codes[0][0] == date.codes[1][0]
    assert date.codes[0][1] != date.codes[1][1]
    assert not text.labelled
    assert np.array_equal(*text.codes[:2])


@pytest.mark.parametrize(
    ("known", "label", "expected"),
    [
        ("97201", "97***", True),
        ("970**", "97***", True),
        ("9720", "97***", False),
        ("08001", "8001", False),
        (8001, "8001", True),
        (35, "[30, 40)", True),
        (40, "[30, 40)", False),
        ("[35, 45]", "[30, 40)", True),
        ("[40, 45]", "[30, 40)", False),
        ("nurse", "{nurse, doctor}", True),
        ("nurse", "{nurse,doctor}", True),
        (22, "20—24", True),
        (22, "[20..25)", True),
        (25, "[20..25)", False),
        ("cook", "{nurse, doctor}", False),
        ("ab*", "a*c", True),
        ("cook", "*", True),
        ("cook", None, True),
        (None, "cook", True),
        ("cook", "Cook", False),
    ],
)
def test_descriptions_may_or_may_not_mean_the_same(
    known: object, label: object, *, expected: bool
) -> None:
    assert overlaps(pl.Series([known]), pl.Series([label])).tolist() == [[expected]]


def test_some_labels_are_as_far_as_among_all() -> None:
    values = pl.Series([1, 2, 3, 7, 11, 40])
    texts = pl.Series(["[0, 5)", "[5, 20)", "[100, 200)", "40"])
    runs = map(np.array, ([0, 1, 3], [0, 3, 5], [3, 5, 6]))
    labels = NumberLabels.of(texts, values, Cover(6, *runs))
    every = labels.distances(np.arange(6))
    for some in ([0], [1, 2], [0, 3], [2]):
        found = labels.only(np.array(some)).distances(np.arange(6))
        np.testing.assert_allclose(found, every[:, some])
