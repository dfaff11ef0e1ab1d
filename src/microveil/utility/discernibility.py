"""Discernibility: how many records each record is indistinguishable from."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from microveil.measures.base import UtilityMeasure
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns
from microveil.utility.parts.released_classes import released_classes
from microveil.utility.parts.shares import share


class Discernibility(UtilityMeasure):
    """Records indistinguishable from each record by its keys, from unchanged (0) to all (1).

    The penalty is Σ c² over classes of size c, plus n for each suppressed record (every key ``*``
    or missing, or the record removed; Bayardo & Agrawal 2005). The score scales it between the
    penalty of the original and n²; ARX's quality is 1 minus it. ``parts`` has the penalties. A
    release with finer classes than before, as after adding noise, scores 0.

    >>> Discernibility(columns="sex").measure({"sex": ["f", "m"]}, {"sex": ["*", "*"]}).value
    1.0
    """

    question: ClassVar[str] = "How coarse did values become?"
    title: ClassVar[str] = "Records that look alike"
    name: Literal["discernibility"] = "discernibility"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    columns: Columns = ()
    """Keys; by default the quasi-identifiers."""

    def score(self, original: Table, released: Table) -> Score:
        """Sum the squared class sizes before and after."""
        classes = released_classes(original, released, self.columns, self.kind())
        # Squared class sizes overflow 32 bits from 46,341 records on, so count in floats.
        before = float((classes.before.astype(np.float64) ** 2).sum())
        kept = float((classes.after.astype(np.float64) ** 2).sum())
        most = float(classes.n_records) ** 2
        penalty = kept + classes.n_suppressed * float(classes.n_records)
        parts = {
            "penalty": penalty,
            "penalty_before": before,
            "penalty_at_most": most,
            "n_suppressed": classes.n_suppressed,
        }
        value = max(share(penalty - before, most - before), 0.0)
        return Score(measure=self.kind(), value=min(value, 1.0), parts=parts)
