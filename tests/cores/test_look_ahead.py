"""Threads that look ahead for MDAV change no group (the long suite has larger cases)."""

from __future__ import annotations

import numpy as np
import pytest

from microveil.cores import settings
from microveil.kernels.microaggregation import mdav as module
from microveil.kernels.microaggregation import mdav_on_cores
from microveil.kernels.microaggregation.mdav_by_scans import mdav_by_scans


@pytest.mark.parametrize("ties", [False, True])
def test_groups_are_those_of_plain_scans(monkeypatch: pytest.MonkeyPatch, ties: bool) -> None:  # noqa: FBT001  a parameter of pytest
    points = np.random.default_rng(1).normal(size=(160, 2))
    points = np.round(points) if ties else points
    monkeypatch.setattr(module, "ON_CORES_FROM", 0)
    monkeypatch.setattr(module, "stood_in_for", lambda *_: False)
    monkeypatch.setattr(mdav_on_cores, "_REST", 20)
    monkeypatch.setattr(mdav_on_cores, "_MOST", 16)
    with settings.using(threads=4):
        found = module.mdav(points, 3)
    assert found.tolist() == mdav_by_scans(points, 3).tolist()
