from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import microveil as mv

RNG = np.random.default_rng(3)
FRAME = pd.DataFrame(
    {
        "town": RNG.choice(["a", "b"], 200),
        "sex": RNG.choice(["f", "m"], 200),
        "pay": RNG.integers(50, 99, 200).astype(float),
        "weeks": RNG.integers(1, 6, 200),
    }
)


def test_answers_are_pandas_own_and_recorded(tmp_path: Path) -> None:
    out = mv.Outputs("survey")
    answer = out.crosstab(FRAME["town"], FRAME["sex"])
    pd.testing.assert_frame_equal(answer, pd.crosstab(FRAME["town"], FRAME["sex"]))
    out.pivot_table(FRAME, values="pay", index="town", columns="sex", aggfunc="mean")
    out.survival(FRAME["weeks"], np.ones(200, dtype=bool))
    out.table(answer, name="mine")
    folder = out.finalise(tmp_path / "out")
    records = [json.loads(one.read_text()) for one in sorted(folder.glob("*.record.json"))]
    verdicts = {one["name"]: one["verdict"] for one in records}
    assert verdicts == {
        "mine": "review", "output_0_crosstab": "pass", "output_1_pivot_table": "pass",
        "output_2_survival": "pass",
    }  # fmt: skip
    assert "crosstab" in records[1]["code"]
    assert (folder / "_checker.html").exists()
    assert mv.check_outputs(folder).verdict != "fail"


def test_a_failed_output_leaves_only_with_a_reason(tmp_path: Path) -> None:
    out = mv.Outputs("survey")
    out.crosstab(FRAME["town"][:9], FRAME["sex"][:9])
    out.pivot_table(FRAME, values="pay", index="town", aggfunc="max")
    assert [one.verdict for one in out.results] == ["fail", "fail"]
    with pytest.raises(mv.RequirementNotMetError, match="2 outputs fail"):
        out.finalise(tmp_path / "out")
    assert not (tmp_path / "out").exists()
    out.remove("output_1_pivot_table")
    out.exception("output_0_crosstab", "published before")
    assert out.finalise(tmp_path / "out").exists()
    with pytest.raises(mv.InputError, match="No output"):
        out.remove("none")


def test_models_need_degrees_of_freedom() -> None:
    pytest.importorskip("statsmodels")
    out = mv.Outputs("survey")
    exog = np.column_stack([np.ones(200), FRAME["weeks"]])
    result = out.ols(FRAME["pay"].to_numpy(), exog)
    out.ols(result)
    out.logit((FRAME["sex"] == "f").astype(float).to_numpy(), exog)
    out.probit((FRAME["sex"] == "f").astype(float).to_numpy(), exog)
    out.cox(FRAME["weeks"].to_numpy(), FRAME[["pay"]].to_numpy())
    out.ols(FRAME["pay"].to_numpy()[:8], exog[:8])
    assert [one.verdict for one in out.results] == ["pass"] * 5 + ["fail"]


def test_bars_and_pictures(tmp_path: Path) -> None:
    (tmp_path / "p.png").write_bytes(b"picture")
    out = mv.Outputs("survey", mv.RiskAppetite(threshold=5))
    assert out.hist(FRAME["pay"], bins=4)["count"].sum() == 200
    out.figure(tmp_path / "p.png")
    assert [one.verdict for one in out.results] == ["review", "review"]
