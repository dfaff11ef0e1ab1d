from __future__ import annotations

import numpy as np
import pandas as pd

from microveil.tabulation.outputs.appetite import RiskAppetite
from microveil.tabulation.outputs.judging import judge_cells, judge_counts, judge_model

LIMITS = RiskAppetite(threshold=3, dominance_n=1, dominance_k=60)


def test_cells_are_judged_by_their_records_and_their_largest() -> None:
    keys = pd.DataFrame({"town": list("aabbbb")})
    found = judge_cells(keys, np.array([1.0, 2, 90, 5, 3, 2]), LIMITS)
    assert found.verdict == "fail"
    assert [one.split(":")[0] for one in found.reasons] == ["a", "b"]
    assert judge_cells(keys[2:].reset_index(drop=True), None, LIMITS).verdict == "pass"


def test_models_and_counts() -> None:
    assert judge_model(9, 12, LIMITS).verdict == "fail"
    assert judge_model(10, 13, LIMITS).verdict == "pass"
    assert judge_counts([0, 5, 2], "bars", LIMITS, 7).verdict == "fail"
