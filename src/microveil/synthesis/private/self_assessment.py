"""Self-assessment: a private model's errors, estimated from its noisy answers at no cost."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from microveil.arrays import Floats
from microveil.synthesis.private.candidates import ModelView
from microveil.synthesis.private.evidence import Evidence, noise_at_most
from microveil.synthesis.private.generator import PrivateFitted
from microveil.synthesis.private.inference import MarginalModel, fit_marginals
from microveil.synthesis.private.junction_tree import Clique
from microveil.synthesis.private.marginals import Measurement, summed_axes
from microveil.synthesis.trust_map import (
    FAINT,
    Relation,
    Status,
    TrustMap,
    dependence,
    half_distance,
)

STEPS = 100
"""Steps of the inference with redrawn noise, starting from the model."""
MEASURED = "noise drawn anew on the model"
BOUNDED = "at most, by the choices (95%)"


def private_trust_map(fitted: PrivateFitted) -> TrustMap:
    """Which relations were measured, which are implied and which are lost, each with its error.

    Everything is post-processing of the noisy answers and costs no privacy. The error of a
    measured relation is estimated by redrawing the noise on the model (a parametric bootstrap);
    any other relation has a bound: had it been farther off, it would have been chosen. Errors refer
    to the values that the model distinguishes.
    """
    learnt, names = fitted.learnt, fitted.names
    again = _refit(learnt.model, learnt.evidence)
    view = ModelView(learnt.model)
    measured = {
        pair for one in learnt.evidence.measurements for pair in combinations(one.columns, 2)
    }
    relations = []
    for pair in combinations(range(len(names)), 2):
        table = view.counts(pair) / learnt.model.total
        strength = dependence(table)
        if pair in measured:
            error = half_distance(table, again.counts(pair) / again.total)
            lost, basis = error > strength, MEASURED
        else:
            error = _at_most(learnt.evidence, pair, view.counts(pair), learnt.model.total)
            lost, basis = strength < FAINT, BOUNDED
        status: Status = "lost" if lost else "modelled" if pair in measured else "implied"
        ends = sorted((names[pair[0]], names[pair[1]]), key=fitted.shown.index)
        relations.append(Relation(ends[0], ends[1], status, strength, error, basis))
    return TrustMap(fitted.shown, tuple(relations), private=True)


def measured_at_most(evidence: Evidence, pair: Clique, counts: Floats, total: float) -> float:
    """Bound on the error of a measured pair: its distance from a measurement, plus the noise."""
    bounds = [1.0]
    for one in evidence.measurements:
        if set(pair) <= set(one.columns):
            axes = summed_axes(one.columns, pair)
            values, variance = one.values.sum(axis=axes), one.variance.sum(axis=axes)
            distance = float(np.abs(values - counts).sum()) + noise_at_most(variance)
            bounds.append(0.5 * distance / total)
    return min(bounds)


def _at_most(evidence: Evidence, pair: Clique, counts: Floats, total: float) -> float:
    """Bound on the error of a pair that was not chosen."""
    ceiling = evidence.ceilings.get(pair)
    if ceiling is None:
        return 1.0
    moved = float(np.abs(ceiling.reference.reshape(counts.shape) - counts).sum())
    return min(0.5 * (ceiling.distance + moved) / total, 1.0)


def _refit(model: MarginalModel, evidence: Evidence) -> MarginalModel:
    """The model refitted with fresh noise, as if the model were the truth."""
    rng = np.random.default_rng(0)
    repeated = [
        Measurement(
            one.columns,
            model.counts(one.columns) + rng.normal(0.0, np.sqrt(one.variance)),
            one.variance,
        )
        for one in evidence.measurements
    ]
    return fit_marginals(repeated, model.sizes, model.total, steps=STEPS, start=model)
