"""What scikit-learn's own checks, pipelines and searches make of a protector."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

import microveil as mv
from tests.app.fitting.cases import ROLES, people

STEPS = (
    "{method: generalize, column: age, hierarchy: {hierarchy: intervals, width: 10}, level: 1}, "
    "{method: suppress_records, k: 12}"
)


def a_recipe() -> mv.Recipe:
    return mv.Recipe.from_yaml(f"{ROLES}steps: [{STEPS}]\nundeclared: drop")


def some(n: int, seed: int) -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(seed)
    frame = people(n, seed).to_pandas().set_index(rng.permutation(n) + 1000)
    return frame, (frame["age"] > 40).astype(int)


def test_scikit_learns_own_checks_pass() -> None:
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = checks.check_estimator(
            mv.Protector(mv.Recipe.from_yaml("undeclared: keep\nsteps: []")),
            on_fail=None,
            on_skip=None,
        )
    assert not [one["check_name"] for one in found if one["status"] == "failed"]
    assert sum(one["status"] == "passed" for one in found) > 30


def a_pipeline(**parameters: Any) -> Any:
    pipeline = pytest.importorskip("sklearn.pipeline")
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import OneHotEncoder

    return pipeline.make_pipeline(
        mv.Protector(a_recipe(), removed="coarsest", **parameters),
        OneHotEncoder(handle_unknown="ignore"),
        LogisticRegression(),
    )


def test_it_stands_in_pipelines_and_searches() -> None:
    frame, target = some(1200, 1)
    from sklearn.model_selection import GridSearchCV, cross_val_score

    line = a_pipeline(new_data="code")
    assert cross_val_score(line, frame, target, cv=3).mean() > 0.8
    grid = GridSearchCV(line, {"protector__steps__1__k": [3, 12]}, cv=3).fit(frame, target)
    assert grid.best_params_["protector__steps__1__k"] in (3, 12)
    assert line.fit(frame, target).predict(frame.head(1)).shape == (1,)


def test_routed_weights_pass_by() -> None:
    sklearn = pytest.importorskip("sklearn")
    frame, target = some(200, 2)
    with sklearn.config_context(enable_metadata_routing=True):
        line = a_pipeline()
        line[-1].set_fit_request(sample_weight=True)
        even = line.fit(frame, target, sample_weight=np.ones(200))[-1].coef_.copy()
        uneven = line.fit(frame, target, sample_weight=np.where(target, 9.0, 1.0))[-1].coef_
    assert not np.allclose(even, uneven)


def test_what_has_learnt_nothing_says_so_in_both_tongues() -> None:
    exceptions = pytest.importorskip("sklearn.exceptions")
    for kind in (exceptions.NotFittedError, mv.InputError):
        with pytest.raises(kind, match="Call `fit` first"):
            mv.Protector(a_recipe()).transform(people(5, 1))
