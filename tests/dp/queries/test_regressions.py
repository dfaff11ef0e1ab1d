from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil import dp
from tests.dp.answered import FRAME, HUGE, READY
from tests.dp.tables import QUERIES


def test_linear_regression_is_least_squares() -> None:
    found = dp.answer(QUERIES["linear"], READY, spend=HUGE).frame
    rows = FRAME.drop_nulls(["income"])
    features = np.column_stack([np.ones(rows.height), rows["age"], rows["smokes"].cast(pl.Float64)])
    expected = np.linalg.lstsq(features, rows["income"].clip(0, 1000).to_numpy(), rcond=None)[0]
    assert found["term"].to_list() == ["intercept", "age", "smokes"]
    assert found["value"].to_numpy() == pytest.approx(expected, rel=5e-3)


def test_logistic_regression_is_near_the_likeliest_for_weak_effects() -> None:
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(3)
    age = rng.integers(0, 101, 20_000)
    chance = 1 / (1 + np.exp(-(age - 50) / 100))
    frame = pl.DataFrame({"age": age, "smokes": rng.random(20_000) < chance})
    declaration = dp.Declaration.parse(
        {"columns": {"age": {"type": "integer", "bounds": [0, 100]}, "smokes": {"type": "boolean"}}}
    )
    query = dp.LogisticRegression(target="smokes", features="age")
    found = dp.answer(query, frame, declaration, HUGE).frame["value"].to_list()
    model = LogisticRegression(C=np.inf).fit(age[:, None], frame["smokes"].to_numpy())
    assert found[1] == pytest.approx(model.coef_[0, 0], rel=0.05)
    assert found[0] == pytest.approx(model.intercept_[0], rel=0.08)
