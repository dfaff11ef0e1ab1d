"""Class-size risk: how far the keys of one record narrow an intruder's search."""

from __future__ import annotations

from typing import ClassVar, Literal

from microveil.measures.base import RiskMeasure
from microveil.scores import Score
from microveil.tables import Classes, Missing, Standing, Table


class ClassSizes(RiskMeasure):
    """Highest 1/size over all classes: the prosecutor's chance of picking the right record.

    ``parts`` has k, the numbers of classes and of unique records, the mean class size and the
    average risk (mean of 1/size). Sizes count people where rows have an entity. ``records`` has
    1/size of each record, ``frames`` the histogram of class sizes. An empty table scores 0.

    >>> from microveil.tables import Roles
    >>> ClassSizes().measure({"sex": ["f", "f", "m"]}, roles=Roles(quasi_identifiers=["sex"])).value
    1.0
    """

    question: ClassVar[str] = "Can records be linked to people?"
    title: ClassVar[str] = "Chance of the right record by class sizes"
    headline: ClassVar[bool] = True
    name: Literal["class_sizes"] = "class_sizes"
    by_scenario: ClassVar[bool] = True
    counts_classes: ClassVar[bool] = True
    missing: Missing = "category"
    """Whether a missing key is a value of its own or matches every value."""

    def score(self, original: Table | None, table: Table) -> Score:  # noqa: ARG002  one table is enough
        """Count the classes and convert sizes to probabilities."""
        classes = Classes.of(table, missing=self.missing)
        found = Standing.of(classes)
        n_counted = int(classes.counts.sum())
        return Score(
            measure=self.kind(),
            value=found.highest_risk,
            parts={
                "k": found.k,
                "n_classes": found.n_classes,
                "n_unique": found.n_unique,
                "mean_size": n_counted / found.n_classes if found.n_classes else 0.0,
                "average_risk": found.average_risk,
            },
            records=1.0 / classes.of_records(classes.sizes),
            frames={"sizes": found.sizes},
        )
