"""An assessment as a page shows it: numbers and bins, no records."""

from __future__ import annotations

import numpy as np
import polars as pl

from microveil import app
from microveil.scores import Score
from microveil.tables import Roles, Table
from microveil.web.project.risk_view import BINS, _bins, _contributions, measure_view, risk_view

ROLES = Roles(quasi_identifiers=["sex", "age"], scenarios={"sex alone": ["sex"]})
TABLE = Table(pl.DataFrame({"sex": ["f", "f", "m", "m"], "age": [1, 1, 2, 3]}), ROLES)


def test_numbers_are_those_of_the_assessment() -> None:
    found = app.assess(TABLE)
    view = risk_view(found, TABLE)
    assert (view.k, view.n_unique, view.n_classes, view.n_records) == (1, 2, 3, 4)
    assert view.average_risk == 0.75
    assert view.scenarios == {"sex alone": (2, 0)}
    assert {one.name for one in view.measures} == set(found.scores)
    assert [size for size, _ in view.worst] == sorted(size for size, _ in view.worst)
    assert sum(bar.value for bar in view.individual) == 4


def test_records_fall_into_bins_of_risk() -> None:
    score = Score("individual_risk", 0.5, records=np.array([0.01, 0.5, 1.0, np.nan]))
    bars = _bins(score)
    assert len(bars) == BINS
    assert (bars[0].label, bars[0].value) == ("0%–5%", 1.0)
    assert bars[-1].value == 1.0
    assert sum(bar.value for bar in bars) == 3
    assert _bins(None) == _bins(Score("x", 0.0)) == ()


def test_keys_are_listed_by_what_they_contribute() -> None:
    parts = {"contributions": {"sex": 0.2, "age": 0.7, "gone": 0.9}}
    bars = _contributions(Score("special_uniques", 0.1, parts=parts), TABLE)
    assert [(bar.label, bar.value) for bar in bars] == [("age", 0.7), ("sex", 0.2)]
    assert _contributions(None, TABLE) == ()


def test_a_measure_keeps_plain_numbers_alone() -> None:
    score = Score("x", 0.5, better="higher", parts={"n": 3, "flag": True, "by": {"a": 1}})
    view = measure_view("x", score)
    assert (view.value, view.better, dict(view.parts)) == (0.5, "higher", {"n": 3.0})
