from __future__ import annotations

from typing import Any

import pytest

import microveil as mv
from microveil.app.exploration.axes import parse_axes
from microveil.errors import InputError, SpecError
from microveil.scores import Score


@pytest.mark.parametrize(
    ("wanted", "label"),
    [
        ("class_sizes", "class_sizes"),
        ("class_sizes.average_risk", "class_sizes.average_risk"),
        ("class_sizes:missing=wildcard", "class_sizes:missing=wildcard"),
        ({"name": "class_sizes", "part": "k"}, "class_sizes.k"),
        (mv.ClassSizes(missing="wildcard"), "class_sizes:missing=wildcard"),
    ],
)
def test_a_measure_is_named_by_a_text_a_mapping_or_a_spec(wanted: Any, label: str) -> None:
    assert [axis.label for axis in parse_axes(wanted, "risk")] == [label]


def test_settings_are_read_as_yaml_and_written_back() -> None:
    (axis,) = parse_axes("il1s.per_cell:columns=[age, pay]", "utility")

    assert axis.measure == mv.IL1s(columns=["age", "pay"])
    assert parse_axes(axis.label, "utility") == (axis,)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("class_size", "Did you mean 'class_sizes'"),
        ("class_sizes:missing", "reads like k=0.2"),
        ("class_sizes:missing=[", "reads like k=0.2"),
        ("class_sizes:mising=category", "Did you mean 'missing'"),
    ],
)
def test_a_measure_that_is_none_is_refused_with_a_hint(wanted: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        parse_axes(wanted, "risk")


def test_a_measure_of_the_other_side_is_refused() -> None:
    with pytest.raises(InputError, match="risk measure"):
        parse_axes(mv.IL1s(), "risk")
    with pytest.raises(InputError, match="at least one"):
        parse_axes([], "risk")


def test_a_part_that_is_no_number_is_named_with_the_nearest() -> None:
    (axis,) = parse_axes("class_sizes.avrage_risk", "risk")

    with pytest.raises(InputError, match="Did you mean 'average_risk'"):
        axis.read(Score("class_sizes", 1.0, parts={"average_risk": 0.5, "frame": {}}))


def test_a_part_within_a_part_is_found() -> None:
    (axis,) = parse_axes("il1s.columns.age", "utility")

    assert axis.read(Score("il1s", 3.0, parts={"columns": {"age": 2.0}})) == 2.0
