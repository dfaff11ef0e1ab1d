from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.errors import InputError
from microveil.utility.eigenvalues import Eigenvalues
from tests.utility.cases import tarragona


def test_eigenvalues_and_correlation_structure_are_sdcmicro_s() -> None:
    score = Eigenvalues().measure(*tarragona())
    assert score.value == pytest.approx(4.23229386541742, rel=1e-9)
    assert score.parts["correlation_structure"] == pytest.approx(0.0584310529800712, rel=1e-6)


def test_robust_eigenvalues_are_near_sdcmicro_s() -> None:
    before, after = tarragona()
    # Both searches start by chance, so no more than the size can agree (sdcMicro: 2.75).
    score = Eigenvalues(robust=True).measure(before, after)
    assert 1.5 < score.value < 4.5
    assert Eigenvalues(robust=True).measure(before, before).value == 0


def test_directions_without_extent_are_left_out() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 200))
    before = pl.DataFrame({"x": x, "y": y, "sum": x + y})
    after = before + pl.DataFrame(rng.normal(size=(200, 3)) * 0.1, schema=before.columns)
    score = Eigenvalues().measure(before, after)
    assert score.parts["n_without_extent"] == 1
    assert 0 < score.value < 1
    with pytest.raises(InputError, match="are collinear"):
        Eigenvalues(robust=True).measure(before, before)


def test_one_record_has_no_structure_to_lose() -> None:
    score = Eigenvalues().measure({"x": [1.0], "y": [2.0]}, {"x": [5.0], "y": [2.0]})
    assert (score.value, score.parts["before"]) == (0, [])
