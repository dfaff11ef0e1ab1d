from __future__ import annotations

import numpy as np

from microveil.scores import Score

SCORE = Score(
    "risk",
    0.25,
    interval=(0.1, 0.4),
    parts={"k": 3, "columns": {"age": 1.0}},
    records=np.array([0.123456789]),
)


def test_a_score_is_its_number() -> None:
    assert float(SCORE) == 0.25


def test_plain_data_hold_no_value_of_a_record() -> None:
    plain = SCORE.to_dict()
    assert plain["interval"] == [0.1, 0.4]
    assert plain["parts"]["k"] == 3
    assert "records" not in plain
    assert "interval" not in Score("risk", 0.0).to_dict()


def test_what_is_shown_names_the_scale_and_no_record() -> None:
    text = repr(SCORE)
    assert "risk: 0.25 (share, 95% interval 0.1 to 0.4)" in text
    assert "lower is better" in text
    assert "0.1234" not in text


def test_parts_by_name_are_shown_side_by_side() -> None:
    parts = {
        "n_records": 12,
        "prosecutor": {"highest": 0.5, "average": 0.25},
        "marketer": {"average": 0.125},
        "columns": {"age": 0.75},
        "limits": [1, 2],
    }
    shown = repr(Score("risk", 0.5, parts=parts)).splitlines()
    assert shown[-5:] == [
        "           prosecutor  marketer",
        "  highest  0.5         –",
        "  average  0.25        0.125",
        "       columns",
        "  age  0.75",
    ]
