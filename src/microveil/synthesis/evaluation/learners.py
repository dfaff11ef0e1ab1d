"""What models learn: distinguishing tables, and predicting real records from synthetic ones."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.cores import one_thread
from microveil.errors import InputError
from microveil.tables.kinds import is_number
from microveil.tables.values import as_text
from microveil.texts import phrase
from microveil.utility.parts.model_features import features, learning, sample_rows

FEW_VALUES = 10
"""A numeric target with at most this many distinct values is treated as classes."""
FOLDS = 5
MOST_TOLD_APART = 10_000
"""Number of records of each table used by the two-sample test."""


class Transfer(NamedTuple):
    """How well models predict held-out real records."""

    synthetic: float
    """Learnt from the synthetic table."""
    real: float
    """Learnt from the original."""
    scale: str
    """What the numbers are."""


def two_sample_auc(original: pl.DataFrame, synthetic: pl.DataFrame) -> float:
    """Area under the curve of a boosted classifier that distinguishes the tables, cross-validated.

    0.5 is chance level; values below it arise when synthetic records copy originals across folds.
    """
    ours, theirs = (sample_rows(one.height, MOST_TOLD_APART) for one in (original, synthetic))
    n = min(len(ours), len(theirs))
    both = features(original[ours[:n]], synthetic[theirs[:n]])
    x = np.vstack([both.before, both.after])
    y = np.repeat([0, 1], n)
    if n < 2 * FOLDS or not x.shape[1]:
        raise InputError("too few records to distinguish the tables")
    selection = learning("model_selection", phrase("The two-sample test"))
    metrics = learning("metrics", phrase("The two-sample test"))
    folds = selection.StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    with one_thread():
        chances = selection.cross_val_predict(_classifier(), x, y, cv=folds, method="predict_proba")
    return float(metrics.roc_auc_score(y, chances[:, 1]))


def transfer(
    original: pl.DataFrame, synthetic: pl.DataFrame, holdout: pl.DataFrame, target: str
) -> Transfer:
    """Predict the target of held-out records by models of the synthetic table and the original."""
    known = [name for name in original.columns if name != target]
    frames = [frame.drop_nulls(target) for frame in (original, synthetic, holdout)]
    sample = [frame[sample_rows(frame.height)] for frame in frames]
    if not known or min(frame.height for frame in sample) < FEW_VALUES:
        raise InputError("too few records, or no predictors for the target")
    both = features(
        pl.concat([sample[0].select(known), sample[2].select(known)]), sample[1].select(known)
    )
    real, held_out = np.split(both.before, [sample[0].height])
    goals = [frame[target] for frame in sample]
    numbers = is_number(goals[0].dtype) and goals[0].n_unique() > FEW_VALUES
    with one_thread():
        return (_compare_regressions if numbers else _compare_classifiers)(
            (real, both.after, held_out), goals
        )


def _compare_classifiers(x: tuple[Floats, Floats, Floats], goals: list[pl.Series]) -> Transfer:
    texts = [as_text(one).to_numpy() for one in goals]
    metrics = learning("metrics", phrase("Train on synthetic, test on real"))
    classes = np.unique(np.concatenate([texts[0], texts[2]]))
    found = []
    for features_, labels in ((x[1], texts[1]), (x[0], texts[0])):
        usable = np.isin(labels, classes)
        found.append(_judge(features_[usable], labels[usable], x[2], texts[2], classes, metrics))
    scale = "area under the curve" if len(classes) == 2 else "balanced accuracy"  # noqa: PLR2004
    return Transfer(found[0], found[1], scale)


def _judge(x: Floats, y: Any, x_test: Floats, y_test: Any, classes: Any, metrics: Any) -> float:
    if len(np.unique(y)) < 2:  # noqa: PLR2004  nothing to learn
        return 0.5 if len(classes) == 2 else 1 / max(len(classes), 1)  # noqa: PLR2004
    model = _classifier().fit(x, y)
    if len(classes) == 2:  # noqa: PLR2004  a curve needs two classes
        chances = model.predict_proba(x_test)[:, list(model.classes_).index(classes[1])]
        return float(metrics.roc_auc_score(y_test == classes[1], chances))
    return float(metrics.balanced_accuracy_score(y_test, model.predict(x_test)))


def _compare_regressions(x: tuple[Floats, Floats, Floats], goals: list[pl.Series]) -> Transfer:
    y = [one.to_physical().cast(pl.Float64).to_numpy() for one in goals]
    ensemble = learning("ensemble", phrase("Train on synthetic, test on real"))
    found = []
    for features_, numbers in ((x[1], y[1]), (x[0], y[0])):
        model = ensemble.HistGradientBoostingRegressor(random_state=0).fit(features_, numbers)
        rest = float(((model.predict(x[2]) - y[2]) ** 2).mean())
        found.append(1 - rest / max(float(y[2].var()), 1e-300))
    return Transfer(found[0], found[1], "R²")


def _classifier() -> Any:
    ensemble = learning("ensemble", phrase("A boosted classifier"))
    return ensemble.HistGradientBoostingClassifier(random_state=0, early_stopping=False)
