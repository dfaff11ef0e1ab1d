from __future__ import annotations

import pytest

import microveil as mv
from microveil.app.exploration.axes import parse_axes
from microveil.app.exploration.choosing import cautions_of, default_risk, default_utility
from microveil.tables import Table

KEYS = mv.Roles(quasi_identifiers=["age"])
NOISE = mv.Recipe(roles=KEYS, steps=[mv.AdditiveNoise(columns=["age"], sd_share=0.1)])
COARSE = mv.Recipe(roles=KEYS, steps=[mv.Round(columns=["age"], base=5)])
TABLE = Table({"age": [31, 42]}, KEYS)


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
    axes = parse_axes("class_sizes", "risk")

    assert cautions_of(axes, [("recipe", COARSE)], TABLE) == ()
    (caution,) = cautions_of(axes, [("recipe", COARSE), ("noise", NOISE)], TABLE)
    assert "not valid evidence" in caution
    assert "noise" in caution


def test_other_quasi_identifiers_are_cautioned_about() -> None:
    other = mv.Recipe(roles=mv.Roles(quasi_identifiers=["sex"]))

    (caution,) = cautions_of(
        parse_axes("class_sizes", "risk"), [("a", COARSE), ("b", other)], TABLE
    )
    assert "same quasi-identifiers" in caution
