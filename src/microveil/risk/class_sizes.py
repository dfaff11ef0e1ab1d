"""Class-size risk: how far the keys of one record narrow an intruder's search."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import polars as pl

from microveil.measures.base import RiskMeasure
from microveil.scores import Score
from microveil.tables import Classes, Missing, Table


class ClassSizes(RiskMeasure):
    """Highest 1/size over all classes: the prosecutor's chance of picking the right record.

    ``parts`` has k, the numbers of classes and of unique records, the mean class size and the
    average risk (mean of 1/size). ``records`` has 1/size of each record, ``frames`` the histogram
    of class sizes. An empty table scores 0.

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
        n_people = int(classes.counts.sum())
        return Score(
            measure=self.kind(),
            value=1 / classes.k if classes.k else 0.0,
            parts={
                "k": classes.k,
                "n_classes": classes.n_classes,
                "n_unique": n_unique(classes),
                "mean_size": n_people / classes.n_classes if classes.n_classes else 0.0,
                "average_risk": classes.average_risk,
            },
            records=1.0 / classes.of_records(classes.sizes),
            frames={"sizes": size_histogram(classes)},
        )


def n_unique(classes: Classes) -> int:
    """Number of records that share their keys with nobody."""
    return int(classes.record_counts[classes.sizes == 1].sum())


def size_histogram(classes: Classes) -> pl.DataFrame:
    """Number of classes, and of records, by class size."""
    sizes, index = np.unique(classes.sizes, return_inverse=True)
    records = np.bincount(index, weights=classes.record_counts, minlength=len(sizes))
    return pl.DataFrame(
        {
            "size": sizes,
            "n_classes": np.bincount(index, minlength=len(sizes)),
            "n_records": records.astype(np.int64),
        }
    )
