"""Ambiguity: how many combinations of values each released record could represent."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from microveil.scores import Score
from microveil.tables import Table
from microveil.utility.parts.covering_measure import CoveringMeasure
from microveil.utility.parts.key_columns import KeyColumn, n_removed
from microveil.utility.parts.shares import share


class Ambiguity(CoveringMeasure):
    """Combinations of key values that a released record could represent, from one (0) to all (1).

    A record covers the product of the values its cells cover (Goldberger & Tassa 2010). A cell that
    is ``*`` or missing, or a key that was dropped, covers all values of the column; a removed
    record covers all combinations. ARX's quality is 1 minus the score. Labels are interpreted as
    for :class:`~microveil.utility.generalization_loss.GeneralizationLoss`.

    >>> before = {"sex": ["f", "m"], "age": [30, 40]}
    >>> after = {"sex": ["*", "m"], "age": [30, 40]}
    >>> round(Ambiguity().measure(before, after).value, 4)
    0.1667
    """

    question: ClassVar[str] = "How coarse did values become?"
    title: ClassVar[str] = "Combinations left possible"
    name: Literal["ambiguity"] = "ambiguity"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"

    def score_covering(self, original: Table, released: Table, keys: list[KeyColumn]) -> Score:
        """Multiply the numbers of values that the cells of each record cover."""
        # Logarithms: products over many columns with many values overflow floats.
        logs = np.zeros(released.height)
        log_most = 0.0
        for key in keys:
            covered, n_values = _count_covered(key, released.height)
            logs += np.log(covered)
            log_most += np.log(max(n_values, 1))
        removed = n_removed(original, released)
        least = np.exp(-log_most)
        lost = float((np.exp(logs - log_most) - least).sum()) + removed * (1 - least)
        value = share(lost, (released.height + removed) * (1 - least)) if log_most > 0 else 0.0
        parts = {"mean_log10": share(float(logs.sum()) / np.log(10), max(released.height, 1))}
        return Score(measure=self.kind(), value=value, parts=parts)


def _count_covered(key: KeyColumn, height: int) -> tuple[NDArray[np.float64], int]:
    """Number of values that each released cell covers, and the most it can cover."""
    covering = key.covering()
    if key.released is None:
        return np.full(height, float(max(covering.n_values, 1))), covering.n_values
    sizes = np.append(np.maximum(covering.sizes, 1), max(covering.n_values, 1))
    covered = sizes[covering.labels.of_record].astype(np.float64)
    if key.paired is not None:
        covered[(key.released.is_null() & key.paired.is_null()).to_numpy()] = 1.0
    elif key.original.null_count():
        # It is unknown which cells were missing before, so as many as before have lost nothing.
        missing = np.flatnonzero(key.released.is_null().to_numpy())
        covered[missing[: key.original.null_count()]] = 1.0
    return covered, covering.n_values
