"""Risk by class sizes: what an intruder who knows the keys of one record can narrow it down to."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import polars as pl

from microveil.measures.base import RiskMeasure
from microveil.scores import Score
from microveil.tables import Classes, Missing, Table


class ClassSizes(RiskMeasure):
    """Highest share 1/size over all classes: the prosecutor's chance of the right record.

    ``parts`` has k, the number of classes and of unique records, the mean class size and the
    average risk (mean of 1/size); ``records`` has 1/size of each record; ``frames`` the
    histogram of class sizes. An empty table scores 0.

    >>> from microveil.tables import Roles
    >>> ClassSizes().measure({"sex": ["f", "f", "m"]}, roles=Roles(quasi_identifiers=["sex"])).value
    1.0
    """

    question: ClassVar[str] = "Can records be linked to people?"
    title: ClassVar[str] = "Chance of the right record by class sizes"
    headline: ClassVar[bool] = True
    name: Literal["class_sizes"] = "class_sizes"
    counts_classes: ClassVar[bool] = True
    missing: Missing = "category"
    """A missing key is a value of its own, or matches every value."""

    def score(self, original: Table | None, table: Table) -> Score:  # noqa: ARG002  one table is enough
        """Count the classes and turn sizes into chances."""
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
    """Records that nobody else shares their keys with."""
    return int(classes.record_counts[classes.sizes == 1].sum())


def size_histogram(classes: Classes) -> pl.DataFrame:
    """How many classes, and how many records, there are of each size."""
    sizes, index = np.unique(classes.sizes, return_inverse=True)
    records = np.bincount(index, weights=classes.record_counts, minlength=len(sizes))
    return pl.DataFrame(
        {
            "size": sizes,
            "n_classes": np.bincount(index, minlength=len(sizes)),
            "n_records": records.astype(np.int64),
        }
    )
