from __future__ import annotations

import polars as pl
import pytest

from microveil.app.fitting.learners import MOST_CATEGORIES, usual_learner


def test_text_numbers_and_gaps_are_learnt_from() -> None:
    pytest.importorskip("sklearn")
    frame = pl.DataFrame({"town": ["a", "b", None] * 40, "age": [1.0, None, 3.0] * 40})
    target = ["x", "y", "z"] * 40
    learner = usual_learner(frame, classes=True).fit(frame, target)
    assert learner.predict(frame).tolist() == target
    assert learner.predict_proba(frame).shape == (120, 3)
    stranger = pl.DataFrame({"town": ["never seen"], "age": [3.0]})
    assert learner.predict(stranger).tolist() == ["z"]


def test_more_categories_than_trees_can_hold() -> None:
    pytest.importorskip("sklearn")
    frame = pl.DataFrame({"code": [f"c{i}" for i in range(3 * MOST_CATEGORIES)]})
    learner = usual_learner(frame, classes=False).fit(frame, list(range(frame.height)))
    assert len(learner.predict(frame)) == frame.height
