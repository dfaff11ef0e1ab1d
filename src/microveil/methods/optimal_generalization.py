"""Optimal generalisation: the smallest loss of all generalisations that reach a goal."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from microveil.methods.parts.base import Outcome
from microveil.methods.parts.lattice_release import LatticeMethod
from microveil.tables import Table


class OptimalGeneralization(LatticeMethod):
    """Generalise whole columns as little as possible for a privacy goal; remove remaining outliers.

    Every key is generalised to one level of its hierarchy. Of all combinations of levels that reach
    the goal with at most ``suppression_share`` of the records removed, the one with the smallest
    loss is released (full-domain generalisation, Samarati 2001; losses as in ARX). The goal is
    ``k`` and ``models``, otherwise the recipe's requirements. Ties are decided by the smaller sum
    of levels, then by the levels. A missing key is a value of its own until its column is ``*``
    throughout. The result is deterministic. Only distinct rows are examined; each combination is
    merged from a finer one.

    >>> people = {"age": [31, 32, 45, 47], "sex": ["f", "f", "m", "m"]}
    >>> decades = {"age": {"hierarchy": "intervals", "width": 10}}
    >>> step = OptimalGeneralization(k=2, columns=["age", "sex"], hierarchies=decades)
    >>> step.protect(people).rows()
    [('[30, 40)', 'f'), ('[30, 40)', 'f'), ('[40, 50)', 'm'), ('[40, 50)', 'm')]
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("unlisted",)
    method: Literal["optimal_generalization"] = "optimal_generalization"

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  no chance
        """Search, generalise, and keep the records of classes that meet all requirements."""
        return self._outcome(table)
