"""Value disclosure: how much of an original column's variance the release explains."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from microveil.arrays import Floats
from microveil.measures.base import RiskMeasure
from microveil.pairs.known_columns import paired_numbers
from microveil.pairs.numbers import PairedNumbers
from microveil.risk.linkage.linear_relations import (
    canonical_correlations,
    coordinates,
    explained_shares,
)
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns
from microveil.texts import phrase

NOTHING = 1e-12
"""Remaining variance that is only rounding error."""


class ValueDisclosure(RiskMeasure):
    """Highest R² of an original column given all released columns.

    The share of the variance of X that Y explains (Dalenius 1977; Muralidhar & Sarathy 2006): 1 if
    values can be computed, 0 if the release reveals nothing about them. ``parts``: ``own`` is the
    squared correlation of each column with its released version (the slides' X₁Y₁, X₂Y₂), ``all``
    its R² given every released column, and ``canonical`` the squared canonical correlations, the
    first of which is the most that is explained of any linear combination. The columns named in
    ``given`` are known anyway: ``all`` is then the R² beyond them, (R²(Y, S) − R²(S)) / (1 −
    R²(S)).

    Only complete records count; a constant column has no variance to explain. With n records and m
    columns, R² is about m/(n − 1) by chance alone (``parts`` has it).

    >>> frame, released = {"x": [1.0, 2.0, 3.0, 4.0]}, {"x": [2.0, 1.0, 4.0, 3.0]}
    >>> round(ValueDisclosure().measure(frame, released).value, 2)
    0.36
    """

    question: ClassVar[str] = "Can something be inferred about somebody?"
    title: ClassVar[str] = "Original predicted from the release"
    name: Literal["value_disclosure"] = "value_disclosure"
    needs_original: ClassVar[bool] = True
    needs_alignment: ClassVar[bool] = True
    needs_numbers: ClassVar[bool] = True
    columns: Columns = ()
    """Columns to use; by default all that are numeric before and after."""
    given: Columns = ()
    """Numeric columns that are released unchanged, and that an intruder uses anyway."""

    @model_validator(mode="after")
    def _apart(self) -> Self:
        twice = [name for name in self.given if name in self.columns]
        if twice:
            raise ValueError(
                phrase("Column {twice:quoted} is in both `columns` and `given`.", twice=twice)
            )
        return self

    def score(self, original: Table | None, table: Table) -> Score:
        """Explain each original column."""
        wanted = (*self.columns, *self.given) if self.columns else ()
        pair = paired_numbers(original, table, wanted)
        if self.given and not self.columns:
            paired_numbers(original, table, self.given)
        keep = pair.present
        looked = [j for j, name in enumerate(pair.columns) if name not in self.given]
        known = [j for j, name in enumerate(pair.columns) if name in self.given]
        before, after = (pair.before, pair.after) if keep.all() else _keep_rows(pair, keep)
        ours, theirs = coordinates(before[:, looked] if known else before, after)
        same = theirs[:, looked]
        own = np.einsum("ij,ij->j", ours, same) ** 2
        beyond = explained_shares(theirs, ours)
        if known:
            already = explained_shares(theirs[:, known], ours)
            room = 1 - already
            beyond = np.divide(
                beyond - already, room, out=np.zeros_like(room), where=room > NOTHING
            )
        names = [pair.columns[j] for j in looked]
        squares = (canonical_correlations(ours, same) ** 2).tolist()
        n = int(keep.sum())
        parts = {
            "own": dict(zip(names, np.minimum(own, 1.0).tolist(), strict=True)),
            "all": dict(zip(names, np.clip(beyond, 0, 1).tolist(), strict=True)),
            "canonical": {str(number + 1): share for number, share in enumerate(squares)},
            "chance": min(len(looked) / (n - 1), 1.0) if n > 1 else 0.0,
            "n_complete": n,
        }
        value = float(np.clip(beyond, 0, 1).max(initial=0.0))
        return Score(measure=self.kind(), value=value, parts=parts)


def _keep_rows(pair: PairedNumbers, keep: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    return pair.before[keep], pair.after[keep]
