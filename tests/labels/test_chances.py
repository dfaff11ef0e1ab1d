from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.labels.chances import NumberLabels, Span, TextLabels, parse_span, set_members
from microveil.labels.overlap import overlaps
from microveil.risk.attacks.columns import read_columns
from microveil.tables import Table


@pytest.mark.parametrize(
    ("label", "span"),
    [
        ("30", Span(30, 30)),
        ("[30, 40)", Span(30, 40, high_in=False)),
        ("(30, 40]", Span(30, 40, low_in=False)),
        ("[30, 49]", Span(30, 49)),
        ("30-39", Span(30, 39)),
        ("-5 - -1", Span(-5, -1)),
        ("<20", Span(-np.inf, 20, high_in=False)),
        ("≥80", Span(80, np.inf)),
        ("85+", Span(85, np.inf)),
        ("80***", Span(80_000, 81_000, high_in=False)),
        ("*", Span(-np.inf, np.inf)),
        ("1e3", Span(1000, 1000)),
        ("young", None),
        ("", None),
        ("***", None),
    ],
)
def test_labels_over_numbers_are_read(label: str, span: Span | None) -> None:
    assert parse_span(label) == span


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
    shorter = {"job": ["health", "health"]}
    unlinked = read_columns(Table(before), Table(shorter), None, ["job"])[0]
    assert unlinked.labels is not None
    assert not unlinked.labels.contains(0).any()


def test_masks_and_the_start_of_a_date_stand_for_what_they_begin() -> None:
    values = ["08001", "08002", "2021-03-05", "2021-04-01"]
    labels = TextLabels.of(["0800*", "080*", "2021-03", "2021", "*"], values, {})
    assert [cover.tolist() for cover in labels.covers] == [
        [0, 1],
        [0, 1],
        [2],
        [2, 3],
        [0, 1, 2, 3],
    ]


def test_a_distance_to_a_range_is_the_mean_over_the_range() -> None:
    values = np.array([0.0, 35.0, 100.0])
    labels = NumberLabels.of(["[30, 40]", "35", "nonsense"], values, {})
    inside = np.abs(35 - np.linspace(30, 40, 100_001)).mean() / 100
    table = labels.distances(np.array([0, 1]))
    assert table[1] == pytest.approx([inside, 0.0, 1.0], abs=1e-6)
    assert table[0] == pytest.approx([0.35, 0.35, 1.0])
    chances = labels.chances(np.array([1]), 0.02)
    assert chances[0] == pytest.approx([0.14, 1.0, 0.0])


def test_a_member_drawn_from_a_set_is_right_in_one_of_its_size() -> None:
    labels = TextLabels.of(["{a, b}", "c"], ["a", "b", "c"], {})
    assert labels.chances(np.array([0, 2]), 0.0).tolist() == [[0.5, 0.0], [0.0, 1.0]]
    assert labels.distances(np.array([0, 2])).tolist() == [[0.5, 1.0], [1.0, 0.0]]


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


def test_members_with_commas_survive() -> None:
    assert set_members(r"{a, b\, c, \{d\}}") == ["a", "b, c", "{d}"]
    assert set_members("a, b") is None


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
