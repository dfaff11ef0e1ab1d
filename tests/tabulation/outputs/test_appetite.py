from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv


def test_limits_come_from_a_preset_or_a_file(tmp_path: Path) -> None:
    assert mv.RiskAppetite.read("acro").threshold == 10
    assert mv.RiskAppetite.read("opensafely").rounding == 5
    (tmp_path / "a.yaml").write_text("preset: opensafely\nthreshold: 6")
    mixed = mv.RiskAppetite.read(tmp_path / "a.yaml")
    assert (mixed.threshold, mixed.rounding) == (6, 5)
    with pytest.raises(mv.SpecError, match="No risk appetite"):
        mv.RiskAppetite.read("accro")
    with pytest.raises(mv.FileError, match="cannot be read"):
        mv.RiskAppetite.read(tmp_path / "no.yaml")


def test_presets_say_what_their_services_say() -> None:
    acro, ours = mv.RiskAppetite.read("acro"), mv.RiskAppetite()
    assert (acro.threshold, acro.degrees_of_freedom, acro.p) == (10, 10, 10)
    assert (acro.dominance_n, acro.dominance_k) == (2, 90)
    assert (acro.zeros, ours.zeros) == (False, True)
    europe = mv.RiskAppetite.read("eurostat")
    assert (europe.threshold, europe.dominance_n, europe.dominance_k) == (10, 1, 50)
    assert mv.RiskAppetite.read("opensafely").threshold == 8
