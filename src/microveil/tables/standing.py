"""Standing: where a table stands by its class sizes, the one place where they are summed up.

Every surface shows these numbers and counts none of its own: drafts, assessments, commands, pages,
reports, runs in parts and on Spark.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from microveil.tables.classes import Classes, Missing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from microveil.tables.table import LazyTable, Table

SPARSE = 16
"""Sizes are counted in an array up to this many times as long as there are classes."""


@dataclass(frozen=True, eq=False)
class Standing:
    """What the class sizes of a table say, for one set of keys.

    ``n_records``, ``n_unique`` and ``n_all_missing`` count rows. Where rows have an entity, class
    sizes count people: so do ``k`` and ``average_risk``, and the numbers that end in ``_people``.
    """

    keys: tuple[str, ...]
    missing: Missing
    entity: str | None
    """Column that tells people apart, if people are counted and it is known."""
    n_records: int
    """Rows of the table."""
    n_classes: int
    k: int
    """Size of the smallest class, in people; 0 for an empty table."""
    n_unique: int
    """Rows of people who share their keys with nobody."""
    average_risk: float
    """Mean of 1 / class size over all rows; with an entity over all people, each once in every
    class that they have rows in."""
    n_all_missing: int
    """Rows with every key missing; the classes include them."""
    sizes: pl.DataFrame = field(repr=False)
    """Histogram: size, n_classes, n_records."""
    constant_keys: tuple[str, ...] = ()
    """Keys with one and the same value, or none, in every row."""
    n_people: int | None = None
    """People in the table; None if every row is a person."""
    n_unique_people: int | None = None
    """People who share their keys with nobody; None if every row is a person."""

    @property
    def counts(self) -> str:
        """What class sizes count: ``people`` or ``records``."""
        return "records" if self.n_people is None else "people"

    @property
    def highest_risk(self) -> float:
        """1 / k: the risk of the people in the smallest class; 0 for an empty table."""
        return 1 / self.k if self.k else 0.0

    @property
    def unique_share(self) -> float:
        """Unique rows as a share of all rows."""
        return self.n_unique / self.n_records if self.n_records else 0.0

    def n_below(self, k: int) -> int:
        """Rows in classes smaller than ``k``."""
        return int(self.sizes.filter(pl.col("size") < k)["n_records"].sum())

    def below_share(self, k: int) -> float:
        """Rows in classes smaller than ``k``, as a share of all rows."""
        return self.n_below(k) / self.n_records if self.n_records else 0.0

    def unique_words(self) -> str:
        """How many rows, and people, are unique, in words."""
        words = f"{self.n_unique:,} of {self.n_records:,} records are unique"
        if self.n_people is None:
            return words
        return f"{words} ({self.n_unique_people:,} of {self.n_people:,} people)"

    def counting_words(self) -> str:
        """What class sizes count, in words."""
        if self.n_people is None:
            return "classes count records"
        by = "" if self.entity is None else f", told apart by '{self.entity}'"
        return f"classes, k and risks count people{by}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        plain: dict[str, Any] = {
            "quasi_identifiers": list(self.keys),
            "counts": self.counts,
            "n_records": self.n_records,
            "n_classes": self.n_classes,
            "k": self.k,
            "n_unique": self.n_unique,
            "unique_share": self.unique_share,
            "n_all_missing": self.n_all_missing,
            "highest_risk": self.highest_risk,
            "average_risk": self.average_risk,
            "missing": self.missing,
        }
        if self.n_people is not None:
            plain |= {
                "entity": self.entity,
                "n_people": self.n_people,
                "n_unique_people": self.n_unique_people,
            }
        return plain

    @classmethod
    def of(cls, classes: Classes) -> Standing:
        """Sum up the sizes of some classes."""
        rows, alone, people = classes.record_counts, classes.sizes == 1, classes.people
        return cls(
            keys=classes.columns,
            missing=classes.missing,
            entity=classes.entity,
            n_records=classes.n_records,
            n_classes=classes.n_classes,
            k=classes.k,
            n_unique=int(rows[alone].sum()),
            average_risk=classes.average_risk,
            n_all_missing=int(rows[classes.all_missing].sum()),
            sizes=size_histogram(classes),
            constant_keys=classes.constant_keys,
            n_people=None if people is None else int(people.max(initial=-1)) + 1,
            n_unique_people=(
                None if people is None else len(np.unique(people[alone[classes.record_class]]))
            ),
        )


def standing(
    table: Table | LazyTable, missing: Missing = "category", keys: Sequence[str] | None = None
) -> Standing:
    """Where a table stands by its quasi-identifiers, or by other keys.

    >>> from microveil.tables import Roles, Table
    >>> visits = Table({"who": [1, 1, 2], "town": ["x", "x", "y"]}, Roles(entity="who"))
    >>> found = standing(visits, keys=["town"])
    >>> found.k, found.n_unique, found.n_unique_people, found.average_risk
    (1, 3, 2, 1.0)
    """
    return Standing.of(Classes.of(table, keys, missing))


def standings(
    table: Table | LazyTable, missing: Missing = "category"
) -> Mapping[str | None, Standing]:
    """Where a table stands by its quasi-identifiers (under None) and by those of each scenario."""
    key_sets = table.roles.key_sets().items()
    return {name: standing(table, missing, keys) for name, keys in key_sets if keys}


def size_histogram(classes: Classes) -> pl.DataFrame:
    """Number of classes, and of rows, by class size."""
    rows, found = classes.record_counts, classes.sizes
    if int(found.max(initial=0)) <= SPARSE * len(found):  # counting takes less than sorting
        n_classes, records = np.bincount(found), np.bincount(found, weights=rows)
        sizes = np.flatnonzero(n_classes)
        n_classes, records = n_classes[sizes], records[sizes]
    else:
        sizes, index = np.unique(found, return_inverse=True)
        n_classes, records = np.bincount(index), np.bincount(index, weights=rows)
    return pl.DataFrame(
        {"size": sizes, "n_classes": n_classes, "n_records": records.astype(np.int64)}
    )
