"""Incognito: all minimal generalisations that reach a goal, and the best of them."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from microveil.arrays import Longs
from microveil.methods.parts.base import Outcome
from microveil.methods.parts.lattice_release import LatticeMethod
from microveil.search.lattice.result import Node, SearchResult
from microveil.tables import Table

MOST_LISTED = 50
"""Number of minimal generalisations listed in the facts."""


class Incognito(LatticeMethod):
    """Find all minimal generalisations that reach a goal, and release the one that loses least.

    LeFevre, DeWitt & Ramakrishnan 2005: a generalisation of the keys is minimal if no key can go a
    level lower. Sets of keys are searched from single keys upwards, because what fails for some
    keys fails for more. The goal must still hold when keys are generalised further: k-anonymity,
    distinct l-diversity and k-map qualify, as does every monotone model without suppression. The
    minimal generalisation with the smallest loss is released; all are in the facts. With
    suppression a coarser generalisation may lose less: ``optimal_generalization`` finds it.

    >>> people = {"age": [31, 32, 45, 47], "sex": ["f", "f", "m", "m"]}
    >>> decades = {"age": {"hierarchy": "intervals", "width": 10}}
    >>> step = Incognito(k=2, columns=["age", "sex"], hierarchies=decades)
    >>> step.protect(people)["age"].to_list()
    ['[30, 40)', '[30, 40)', '[40, 50)', '[40, 50)']
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("unlisted",)
    method: Literal["incognito"] = "incognito"
    strategy: Literal["incognito"] = "incognito"
    """Always by way of sets of keys."""

    @property
    def _way_out(self) -> str:
        return "Use the step `optimal_generalization`, or `suppression_share: 0`."

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  no chance
        """Search, generalise, and keep the records of classes that meet all requirements."""
        return self._outcome(table)

    def _choose(self, result: SearchResult) -> Node:
        """The best of the minimal ones, though with suppression a coarser one may lose less."""
        return result.minimal[0] if self.node == 1 and result.minimal else super()._choose(result)

    def _outcome(self, table: Table, counts: Longs | None = None) -> Outcome:
        outcome, result = self._release(table, counts)
        if result is None:
            return outcome
        minimal = [node.levels for node in result.minimal[:MOST_LISTED]]
        facts = {**outcome.facts, "n_minimal": len(result.minimal), "minimal": minimal}
        return replace(outcome, facts=facts)
