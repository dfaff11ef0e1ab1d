"""Average class size: records per equivalence class."""

from __future__ import annotations

from typing import ClassVar, Literal

from microveil.measures.base import UtilityMeasure
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns
from microveil.utility.parts.released_classes import released_classes
from microveil.utility.parts.shares import share


class AverageClassSize(UtilityMeasure):
    """Average number of records in a class, from unchanged (0) to a single class (1).

    Suppressed records (every key ``*`` or missing, or the record removed) form no class; if all are
    suppressed, the score is 1 (LeFevre, DeWitt & Ramakrishnan 2006; ARX's quality is 1 minus the
    score). ``parts`` has the averages themselves. A release with smaller classes than before, as
    after adding noise, scores 0.

    >>> ages = {"age": [31, 38, 52, 57]}
    >>> score = AverageClassSize(columns="age").measure(ages, {"age": ["3*", "3*", "5*", "5*"]})
    >>> score.parts["average"], round(score.value, 4)
    (2.0, 0.3333)
    """

    question: ClassVar[str] = "How coarse did values become?"
    title: ClassVar[str] = "Size of classes"
    name: Literal["average_class_size"] = "average_class_size"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    columns: Columns = ()
    """Keys; by default the quasi-identifiers."""

    def score(self, original: Table, released: Table) -> Score:
        """Divide records by classes before and after."""
        classes = released_classes(original, released, self.columns, self.kind())
        before = share(float(classes.before.sum()), len(classes.before))
        all_gone = not len(classes.after) and classes.n_records > 0
        after = share(float(classes.after.sum()), len(classes.after))
        after = float(classes.n_records) if all_gone else after
        parts = {
            "average": after,
            "average_before": before,
            "n_classes": len(classes.after),
            "n_classes_before": len(classes.before),
            "n_suppressed": classes.n_suppressed,
        }
        value = max(share(after - before, classes.n_records - before), 0.0)
        return Score(measure=self.kind(), value=min(value, 1.0), parts=parts)
