from __future__ import annotations

import polars as pl

from microveil.utility.confidence_overlap import ConfidenceOverlap
from tests.utility.cases import people


def test_groups_go_by_number_not_by_name() -> None:
    frame = people(200, 9)
    score = ConfidenceOverlap().measure(frame, frame)
    assert score.value == 0
    text = str(score.to_dict()) + str(score.frames["estimates"]["about"].to_list())
    assert "pay by town 1" in text
    assert "'a'" not in text


def test_a_group_that_the_release_lacks_has_no_overlap() -> None:
    frame = people(200, 9)
    score = ConfidenceOverlap(columns="pay", by="town").measure(
        frame, frame.filter(pl.col("town") != "b"), aligned=False
    )
    worst = score.frames["estimates"].filter(about="pay by town 2")
    assert worst["overlap"].to_list() == [0.0]
