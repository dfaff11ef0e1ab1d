"""The learner for those who bring none: gradient boosted trees over frames with text."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.tables.door import Door
from microveil.tables.kinds import finite_numbers, is_number
from microveil.tables.values import as_text
from microveil.utility.parts.model_features import learning

MOST_CATEGORIES = 200
"""Frequent categories that trees tell apart; all others are one."""


def usual_learner(frame: pl.DataFrame, *, classes: bool) -> FrameLearner:
    """A learner for frames with these columns."""
    ensemble = learning("ensemble", "cross_validate")
    kind = "HistGradientBoostingClassifier" if classes else "HistGradientBoostingRegressor"
    text = [not is_number(dtype) for dtype in frame.dtypes]
    return FrameLearner(getattr(ensemble, kind)(categorical_features=text, random_state=0))


class FrameLearner:
    """A model of scikit-learn behind an encoding of text columns by their frequent categories."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self._estimator_type = getattr(model, "_estimator_type", None)
        self._categories: dict[str, pl.Series] = {}

    def fit(self, frame: Any, target: Any) -> FrameLearner:
        """Learn the categories, then the model."""
        features = Door(frame).frame
        self._categories = {
            column.name: _frequent(column) for column in features if not is_number(column.dtype)
        }
        self.model.fit(self._encode(features), target)
        self.classes_ = getattr(self.model, "classes_", None)
        return self

    def predict(self, frame: Any) -> Any:
        """What the model predicts."""
        return self.model.predict(self._encode(Door(frame).frame))

    def predict_proba(self, frame: Any) -> Any:
        """How probable the model holds each class."""
        return self.model.predict_proba(self._encode(Door(frame).frame))

    def __sklearn_tags__(self) -> Any:
        """Those of the model."""
        return self.model.__sklearn_tags__()

    def __sklearn_is_fitted__(self) -> bool:
        """Whether it has learnt."""
        return hasattr(self, "classes_")

    def _encode(self, features: pl.DataFrame) -> Floats:
        return np.column_stack([self._encode_column(column) for column in features])

    def _encode_column(self, column: pl.Series) -> Floats:
        known = self._categories.get(column.name)
        if known is None:
            return finite_numbers(column)
        places = pl.Series(np.arange(len(known), dtype=np.float64))
        found = as_text(column).replace_strict(known, places, default=None)
        return found.cast(pl.Float64).to_numpy()


def _frequent(column: pl.Series) -> pl.Series:
    counted = as_text(column).drop_nulls().value_counts(name="n")
    best = counted.sort("n", column.name, descending=[True, False]).head(MOST_CATEGORIES)
    return best.get_column(column.name)
