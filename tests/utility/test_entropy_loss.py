from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.utility.entropy_loss import EntropyLoss
from microveil.utility.generalization_loss import GeneralizationLoss


def test_entropy_is_what_is_left_to_guess() -> None:
    before = {"x": ["a", "a", "b", "c"]}
    after = {"x": ["ab", "ab", "ab", "c"]}
    score = EntropyLoss().measure(before, after)
    # 2·log₂(3/2) + log₂ 3 of 2·log₂(4/2) + 2·log₂ 4 bits
    assert score.parts["bits_lost"] == pytest.approx(2 * 0.5849625 + 1.5849625)
    assert score.parts["bits"] == pytest.approx(6)


def test_removed_records_are_lost_to_entropy() -> None:
    frame = pl.DataFrame({"sex": ["f", "f", "m"], "pay": [1, 2, 9]})
    roles = mv.Roles(quasi_identifiers=["sex"], sensitive=["pay"])
    release = mv.run(mv.Recipe(roles=roles, steps=[mv.SuppressRecords(k=2)]), frame)
    score = EntropyLoss().measure(release.original, release.table)
    # log₂ 3 of 2·log₂(3/2) + log₂ 3 bits
    assert score.value == pytest.approx(1.5849625 / (2 * 0.5849625 + 1.5849625))
    assert GeneralizationLoss().measure(release.original, release.table).value == pytest.approx(
        1 / 3
    )
