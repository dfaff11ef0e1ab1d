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
