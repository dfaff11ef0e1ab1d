"""Every method stands in one family; what no family names is among the others."""

from __future__ import annotations

import pytest

from microveil.methods import METHODS
from microveil.web.parts import families as module
from microveil.web.parts.families import FAMILIES, families


def test_no_method_is_named_twice_or_after_it_is_gone() -> None:
    named = [kind for kinds in FAMILIES.values() for kind in kinds]
    assert len(set(named)) == len(named)
    assert set(named) <= set(METHODS.classes)


def test_what_no_family_names_is_among_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "others" not in families()
    few = {"names": ("drop", "of_tomorrow")}
    monkeypatch.setattr(module, "FAMILIES", few)
    found = families()
    assert found["names"] == ["drop"]
    assert set(found["others"]) == set(METHODS.classes) - {"drop"}
