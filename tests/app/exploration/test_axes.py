from __future__ import annotations

from typing import Any

import pytest

import microveil as mv
from microveil.app.exploration.axes import parsed
from microveil.app.exploration.choosing import cautions_of, default_risk, default_utility
from microveil.errors import InputError, SpecError
from microveil.scores import Score
from microveil.tables import Table

KEYS = mv.Roles(quasi_identifiers=["age"])
NOISE = mv.Recipe(roles=KEYS, steps=[mv.AdditiveNoise(columns=["age"], sd_share=0.1)])
COARSE = mv.Recipe(roles=KEYS, steps=[mv.Round(columns=["age"], base=5)])
TABLE = Table({"age": [31, 42]}, KEYS)


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
    assert [axis.label for axis in parsed(wanted, "risk")] == [label]


def test_settings_are_read_as_yaml_and_written_back() -> None:
    (axis,) = parsed("il1s.per_cell:columns=[age, pay]", "utility")

    assert axis.measure == mv.IL1s(columns=["age", "pay"])
    assert parsed(axis.label, "utility") == (axis,)


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
        parsed(wanted, "risk")


def test_a_measure_of_the_other_side_is_refused() -> None:
    with pytest.raises(InputError, match="risk measure"):
        parsed(mv.IL1s(), "risk")
    with pytest.raises(InputError, match="at least one"):
        parsed([], "risk")


def test_a_part_that_is_no_number_is_named_with_the_nearest() -> None:
    (axis,) = parsed("class_sizes.avrage_risk", "risk")

    with pytest.raises(InputError, match="Did you mean 'average_risk'"):
        axis.read(Score("class_sizes", 1.0, parts={"average_risk": 0.5, "frame": {}}))


def test_a_part_within_a_part_is_found() -> None:
    (axis,) = parsed("il1s.columns.age", "utility")

    assert axis.read(Score("il1s", 3.0, parts={"columns": {"age": 2.0}})) == 2.0


def test_classes_are_counted_only_where_no_step_changes_values() -> None:
    assert default_risk([COARSE], TABLE)[0].label == "class_sizes"
    first = default_risk([COARSE, NOISE], TABLE)[0].label
    assert first == ("record_linkage" if "record_linkage" in mv.RISK_MEASURES else "class_sizes")


def test_the_intruder_knows_the_keys_and_what_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    from microveil.risk.record_linkage import RecordLinkage

    known = {**mv.RISK_MEASURES.classes, "record_linkage": RecordLinkage}
    monkeypatch.setattr(mv.RISK_MEASURES, "classes", known)
    table = Table({"age": [31, 42], "pay": [1.0, 2.0], "name": ["a", "b"]}, KEYS)
    noise = mv.AdditiveNoise(columns=["pay"], sd_share=0.1)

    def label(*steps: mv.Method) -> str:
        return default_risk([mv.Recipe(roles=KEYS, steps=steps)], table)[0].label

    assert label(noise) == 'record_linkage:columns=["age", "pay"]'
    assert label(noise, mv.Drop(columns=["pay"])) == "class_sizes"
    assert label(mv.AdditiveNoise(columns=["age"], sd_share=0.1)) == "record_linkage"


def test_moved_numbers_are_measured_by_how_far_they_moved() -> None:
    assert default_utility([NOISE], TABLE)[0].label == "il1s.per_cell"
    assert "il1s.per_cell" not in [axis.label for axis in default_utility([COARSE], TABLE)]


def test_counting_classes_after_changed_values_is_cautioned_about() -> None:
    axes = parsed("class_sizes", "risk")

    assert cautions_of(axes, [("recipe", COARSE)], TABLE) == ()
    (caution,) = cautions_of(axes, [("recipe", COARSE), ("noise", NOISE)], TABLE)
    assert "not valid evidence" in caution
    assert "noise" in caution


def test_other_quasi_identifiers_are_cautioned_about() -> None:
    other = mv.Recipe(roles=mv.Roles(quasi_identifiers=["sex"]))

    (caution,) = cautions_of(parsed("class_sizes", "risk"), [("a", COARSE), ("b", other)], TABLE)
    assert "same quasi-identifiers" in caution
