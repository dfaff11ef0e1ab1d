"""Propensity: how well a model distinguishes released records from original ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from microveil.arrays import Floats
from microveil.cores import one_thread
from microveil.errors import InputError
from microveil.hierarchies import AnyHierarchy
from microveil.labels.decoding import decode
from microveil.measures.base import UtilityMeasure
from microveil.pairs.alignment import align
from microveil.pairs.coverings import read_coverings
from microveil.pairs.reading import Reading
from microveil.scores import Score
from microveil.statistics.logistic import logistic_regression
from microveil.tables import Table
from microveil.tables.roles import Columns
from microveil.tables.row_sorting import content_order
from microveil.texts import phrase
from microveil.utility.parts.model_features import features, learning, sample_rows, usable_columns

MOST_FEATURES = 400


class Propensity(UtilityMeasure):
    """How well a model distinguishes released from original records: pMSE, 0 if not at all.

    Both tables are stacked, a model estimates the probability p that each record is a released one,
    and pMSE is the mean of (p − c)², where c is the share of released records (Woo et al. 2009).
    ``parts`` has the value expected if the release were a new sample from the same population
    (``expected``, ``sd``), the ``ratio`` to it (1: as good as a new sample; below 1: closer than
    that), ``standardized`` (number of sd above it) and ``share_of_most`` (1: distinguished without
    error). Labels are decoded first: each becomes one of the values it covers, drawn uniformly.
    Larger tables are sampled at 20,000 records.

    For a new sample, which of the N records are the released ones is random. Under a logistic model
    of r independent features, N · pMSE / (c (1 − c)) is then χ² with r degrees of freedom, up to
    terms that vanish as N grows; for trees the expectation is found by permutation. Records drawn
    with replacement from the original itself vary once instead of twice, so their expected ratio is
    ``ratio_of_bootstrap``, 1 − c. Snoke et al. (2018) divide by that expectation.

    >>> before = {"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}
    >>> Propensity().measure(before, before).value
    0.0
    """

    question: ClassVar[str] = "Are distributions kept?"
    title: ClassVar[str] = "Told apart by a model"
    plain: ClassVar[str] = (
        "How well a model tells released records from original ones; 0: not at all."
    )
    headline: ClassVar[bool] = True
    name: Literal["propensity"] = "propensity"
    quick: ClassVar[bool] = False
    columns: Columns = ()
    """Columns to compare; by default all common ones except identifiers and weights."""
    model: Literal["logistic", "tree"] = "logistic"
    """Logistic regression, or a classification tree (needs ``microveil[models]``)."""
    interactions: bool = False
    """Whether the logistic model includes the products of all pairs of features."""
    n_permutations: int = Field(default=20, ge=2)
    """Number of permutations used to find the expectation for trees."""
    hierarchies: Mapping[str, AnyHierarchy] = Field(default_factory=dict)
    """How values were generalised, by column: used to look up labels."""

    def score(self, original: Table, released: Table) -> Score:
        """Fit the model to both tables."""
        return self.score_reading(Reading(original, released))

    def score_unpaired(self, original: Table, released: Table) -> Score:
        """The same if the labels alone must show what they cover."""
        return self.score_reading(Reading(original, released, aligned=False))

    def score_reading(self, reading: Reading) -> Score:
        """Fit the model; labels stand for what steps and hierarchies made of values."""
        reading = reading.with_hierarchies(self.hierarchies)
        original, released = reading.original, reading.released
        columns = usable_columns(original, released, self.columns, self.kind())
        if not original.height or not released.height:
            if original.height == released.height:
                return Score(measure=self.kind(), value=0.0, scale="pMSE")
            raise InputError("'propensity' needs records in both tables; one has none.")
        beside = align(original, released) if reading.aligned else None
        after = decode(original, released, columns, beside, read_coverings(reading, columns))
        before = original.frame.select(columns)
        # Sorted, so that samples and fits do not depend on the order of the rows.
        before, after = (one[content_order(one)] for one in (before, after))
        ours, theirs = sample_rows(original.height), sample_rows(released.height)
        both = features(before[ours], after[theirs])
        x = np.vstack([both.before, both.after])
        y = np.concatenate([np.zeros(len(ours)), np.ones(len(theirs))])
        parts = self._tree(x, y) if self.model == "tree" else self._logistic(x, y)
        # In a sampled original, the records left out vary too.
        parts["ratio_of_bootstrap"] = 1 - len(ours) / original.height * float(y.mean())
        parts |= {"n_records": len(y), "n_features": x.shape[1]}
        return Score(measure=self.kind(), value=parts["pmse"], scale="pMSE", parts=parts)

    def _logistic(self, x: Floats, y: Floats) -> dict[str, Any]:
        if self.interactions:
            x = _with_products(x)
        if x.shape[1] > MOST_FEATURES:
            raise InputError(
                "'propensity' would fit {shape} features; at most {most_features} are "
                "sensible. Name fewer columns, or leave interactions out.",
                shape=x.shape[1],
                most_features=MOST_FEATURES,
            )
        centred = x - x.mean(axis=0)
        c = float(y.mean())
        each = c * (1 - c) / len(y)
        # Features are few: threads would spend more time waiting for each other than working.
        with one_thread():
            rank = int(np.linalg.matrix_rank(centred)) if centred.size else 0
            found = pmse(logistic_regression(x, y).chances(x), c)
        return _parts(found, c, rank * each, float(np.sqrt(2 * rank)) * each)

    def _tree(self, x: Floats, y: Floats) -> dict[str, Any]:
        tree = learning("tree", phrase("A tree"))
        rng = np.random.default_rng(0)
        c = float(y.mean())
        null = [
            pmse(_fitted_tree(tree, x, rng.permutation(y)), c) for _ in range(self.n_permutations)
        ]
        found = pmse(_fitted_tree(tree, x, y), c)
        return _parts(found, c, float(np.mean(null)), float(np.std(null, ddof=1)))


def pmse(probabilities: Floats, share: float) -> float:
    """Mean squared distance of the probabilities from the share of released records."""
    return float(((probabilities - share) ** 2).mean())


def _parts(found: float, c: float, expected: float, sd: float) -> dict[str, Any]:
    # Rounding must not turn zero into something.
    found = 0.0 if found < 1e-20 else found  # noqa: PLR2004
    return {
        "pmse": found,
        "expected": expected,
        "sd": sd,
        "ratio": found / expected if expected > 0 else None,
        "standardized": (found - expected) / sd if sd > 0 else None,
        "share_of_most": found / (c * (1 - c)),
    }


def _with_products(x: Floats) -> Floats:
    first, second = np.triu_indices(x.shape[1], 1)
    if len(first) > MOST_FEATURES:
        raise InputError(
            "'propensity' would fit {n_first} products of features; at most {most_features} "
            "are sensible. Name fewer columns, or leave interactions out.",
            n_first=len(first),
            most_features=MOST_FEATURES,
        )
    products = x[:, first] * x[:, second]
    return np.hstack([x, products[:, np.ptp(products, axis=0) > 0]])


def _fitted_tree(tree: Any, x: Floats, y: Floats) -> Floats:
    if not x.shape[1]:
        return np.full(len(y), y.mean())
    leaf = max(5, len(y) // 200)
    fitted = tree.DecisionTreeClassifier(min_samples_leaf=leaf, random_state=0).fit(x, y)
    probabilities: Floats = fitted.predict_proba(x)[:, -1]
    return probabilities
