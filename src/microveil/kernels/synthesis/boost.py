"""Gradient boosting for a binary outcome: small trees, each fitted to the residuals so far."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from microveil.arrays import Bytes, Floats, Ints
from microveil.kernels.jit import kernel
from microveil.kernels.synthesis.grow_tree import DecisionTree, Growth, grow_numbers

RIDGE = 1.0
"""Added to each leaf's information, so that small leaves are shrunk towards 0."""


class Boosting(NamedTuple):
    """How an ensemble grows."""

    n_rounds: int
    learning_rate: float
    growth: Growth


class Ensemble(NamedTuple):
    """Concatenated trees; the sum of the leaves a record falls into gives its log-odds."""

    base: float
    roots: Ints
    """First node of each tree."""
    feature: Ints
    """Predictor a node splits by; −1 for a leaf."""
    threshold: Ints
    left: Ints
    """Left child; the right one follows it."""
    value: Floats
    """What a leaf adds."""


def boost(levels: Bytes, answers: Floats, boosting: Boosting) -> Ensemble:
    """Trees that predict the log-odds of a binary outcome (Friedman 2001).

    Leaf values are Newton steps. Time grows with rounds × records × predictors × depth.

    >>> levels = np.array([[0, 0, 1, 1]], dtype=np.uint8)
    >>> fitted = boost(levels, np.array([0.0, 0.0, 1.0, 1.0]), Boosting(20, 0.5, Growth(1)))
    >>> (log_odds(fitted, levels) > 0).tolist()
    [False, False, True, True]
    """
    answers = np.ascontiguousarray(answers, dtype=np.float64)
    share = (answers.sum() + 0.5) / (len(answers) + 1)
    base = float(np.log(share / (1 - share)))
    scores = np.full(len(answers), base)
    residuals, trees, values = np.empty(len(answers)), list[DecisionTree](), list[Floats]()
    for _ in range(boosting.n_rounds):
        _residuals(answers, scores, residuals)
        tree = grow_numbers(levels, residuals, boosting.growth)
        if len(tree.feature) == 1:
            break
        value = np.zeros(len(tree.feature))
        _newton(tree, residuals, answers, boosting.learning_rate, scores, value)
        trees.append(tree)
        values.append(value)
    return _join(base, trees, values)


def log_odds(ensemble: Ensemble, levels: Bytes) -> Floats:
    """Log-odds of each record."""
    scores = np.full(levels.shape[1], ensemble.base)
    _add_up(ensemble, np.ascontiguousarray(levels), scores)
    return scores


def _join(base: float, trees: list[DecisionTree], values: list[Floats]) -> Ensemble:
    sizes = [len(tree.feature) for tree in trees]
    roots = np.concatenate([[0], np.cumsum(sizes)])[:-1].astype(np.int32)
    empty = np.empty(0, dtype=np.int32)
    return Ensemble(
        base,
        roots,
        np.concatenate([empty, *(tree.feature for tree in trees)]),
        np.concatenate([empty, *(tree.threshold for tree in trees)]),
        np.concatenate(
            [empty, *(tree.left + root for tree, root in zip(trees, roots, strict=True))]
        ).astype(np.int32),
        np.concatenate([np.empty(0), *values]),
    )


@kernel
def _residuals(answers: Floats, scores: Floats, residuals: Floats) -> None:
    for i in range(len(answers)):
        residuals[i] = answers[i] - 1 / (1 + np.exp(-scores[i]))


@kernel
def _newton(
    tree: DecisionTree,
    residuals: Floats,
    answers: Floats,
    rate: float,
    scores: Floats,
    value: Floats,
) -> None:
    for node in range(len(tree.feature)):
        if tree.feature[node] >= 0:
            continue
        slope, information = 0.0, RIDGE
        for i in range(tree.start[node], tree.end[node]):
            row = tree.rows[i]
            chance = answers[row] - residuals[row]
            slope += residuals[row]
            information += chance * (1 - chance)
        value[node] = rate * slope / information
        for i in range(tree.start[node], tree.end[node]):
            scores[tree.rows[i]] += value[node]


@kernel
def _add_up(ensemble: Ensemble, levels: Bytes, scores: Floats) -> None:
    for i in range(levels.shape[1]):
        for root in ensemble.roots:
            node = root
            while ensemble.feature[node] >= 0:
                beyond = levels[ensemble.feature[node], i] > ensemble.threshold[node]
                node = ensemble.left[node] + (1 if beyond else 0)
            scores[i] += ensemble.value[node]
