"""MST: a maximum spanning tree of relations, measured with noise."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np

from microveil.synthesis.private.evidence import (
    Ceiling,
    Evidence,
    choice_slack,
    distance_at_most,
)
from microveil.synthesis.private.generator import Mechanism, PrivateGenerator, PrivateModel
from microveil.synthesis.private.inference import fit_marginals
from microveil.synthesis.private.junction_tree import Clique
from microveil.synthesis.private.marginals import CodedTable
from microveil.synthesis.private.measuring import SingleColumns, measure, measure_columns
from microveil.synthesis.private.scoring import PARTS, misfit

SINGLE_SHARE = Fraction(2, 5)
"""Share of the budget for single columns."""
CHOICE_SHARE = Fraction(1, 10)
"""Share for choosing pairs: the scores are large, so that little is enough."""
STEPS = 200
"""Steps of the inference."""


class Mst(PrivateGenerator):
    """Draw from a tree of the strongest pairwise relations, measured with differential privacy.

    Single columns are counted with noise, values hidden by noise are merged, the most dependent
    pairs are selected as a tree and counted with noise, and records are drawn from the best-fitting
    model (McKenna, Miklau and Sheldon 2021). Time grows with the square of the number of columns
    and the cells of pairs. Higher-order relations follow from pairs alone: see ``aim``.
    """

    generator: Literal["mst"] = "mst"

    def learn(self, table: CodedTable, mechanism: Mechanism) -> PrivateModel:
        """Measure columns, choose a tree, measure its pairs, and fit."""
        total = mechanism.spending.total
        alone = len(table.sizes) == 1
        singles = measure_columns(table, mechanism, total if alone else SINGLE_SHARE * total)
        compact = singles.compression.forward(table)
        choices = _choose_tree(compact, singles, mechanism, CHOICE_SHARE * total)
        each = mechanism.spending.left / max(len(choices), 1)
        pairs = [measure(compact, one.pair, mechanism, each, "pairs") for one in choices]
        measurements = (*singles.measurements, *pairs)
        model = fit_marginals(measurements, compact.sizes, singles.total, steps=STEPS)
        ceilings: dict[Clique, Ceiling] = {}
        for choice, pair in zip(choices, pairs, strict=True):
            scale = float(np.sqrt(pair.variance.flat[0]))
            reference = singles.independent(choice.pair)
            reached = distance_at_most(pair.values, reference, scale) + choice.slack
            # Choices come with falling scores: the last that a pair lost is the narrowest.
            for loser in choice.losers:
                ceilings[loser] = Ceiling(singles.independent(loser), reached)
        return PrivateModel(model, singles.compression, Evidence(measurements, ceilings))


class _Choice(NamedTuple):
    """One edge of the tree."""

    pair: Clique
    losers: tuple[Clique, ...]
    """Pairs that could have been chosen instead."""
    slack: float
    """How much farther from independence than the chosen pair they can be, in records."""


def _choose_tree(
    table: CodedTable, singles: SingleColumns, mechanism: Mechanism, rho: Fraction
) -> list[_Choice]:
    """The edges of about the maximum spanning tree, by distance from independence."""
    n_columns = len(table.sizes)
    scores = {
        pair: misfit(table.counts(pair), singles.independent(pair))
        for pair in combinations(range(n_columns), 2)
    }
    trees = list(range(n_columns))
    choices: list[_Choice] = []
    for _ in range(n_columns - 1):
        open_pairs = [pair for pair in scores if trees[pair[0]] != trees[pair[1]]]
        cost = mechanism.spending.take(rho / (n_columns - 1), "choices")
        chosen, scale = mechanism.noise.choice(
            np.array([scores[pair] for pair in open_pairs], dtype=np.int64), PARTS, cost
        )
        pair = open_pairs[chosen]
        losers = tuple(other for other in open_pairs if other != pair)
        choices.append(_Choice(pair, losers, choice_slack(scale, len(open_pairs)) / PARTS))
        joined = trees[pair[1]]
        trees = [trees[pair[0]] if tree == joined else tree for tree in trees]
    return choices
