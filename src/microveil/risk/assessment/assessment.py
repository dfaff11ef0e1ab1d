"""Assessment: the disclosure risk of one table, composed of what the measures say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from microveil.risk.assessment.acceptable_k import acceptable_k
from microveil.risk.assessment.verdicts import Verdict
from microveil.risk.class_sizes import n_unique, size_histogram
from microveil.scores import Score
from microveil.tables import Classes, LazyTable, Missing, Table

N_WORST = 5


@dataclass(frozen=True, eq=False)
class WorstClass:
    """One of the smallest classes."""

    size: int
    share: float
    """Its records among all records."""
    values: Mapping[str, Any]
    """Its quasi-identifiers: confidential, for the eyes of whoever holds the data."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"size": self.size, "share": self.share, "values": dict(self.values)}


@dataclass(frozen=True, eq=False)
class Assessment:
    """The disclosure risk of one table as it is, for one set of quasi-identifiers."""

    quasi_identifiers: tuple[str, ...]
    n_records: int
    n_classes: int
    k: int
    n_unique: int
    """Records that nobody shares their keys with."""
    n_all_missing: int
    """Records whose every key is missing; they are counted in the classes too."""
    acceptable_k: int
    """The k a table of this size should reach."""
    n_below: int
    """Records in classes below the acceptable k."""
    worst: tuple[WorstClass, ...]
    sizes: pl.DataFrame
    """Histogram: size, n_classes, n_records."""
    models: Mapping[str, Any]
    """How far each privacy model is reached."""
    missing: Missing
    unique_records: pl.DataFrame = field(repr=False)
    """The quasi-identifiers of the unique records: confidential."""
    scenarios: Mapping[str, Assessment] = field(default_factory=dict)
    scores: Mapping[str, Score] = field(default_factory=dict)
    """Further measures, by name."""
    verdicts: tuple[Verdict, ...] = ()
    """Singling out, linkability, inference: how bad each stands, in words."""
    skipped: Mapping[str, str] = field(default_factory=dict)
    """Measures that could not be taken, and why."""

    @property
    def acceptable(self) -> bool:
        """Whether k is as large as it should be."""
        return self.k >= self.acceptable_k or self.n_records == 0

    @property
    def below_share(self) -> float:
        """Share of records in classes below the acceptable k: the bad rows."""
        return self.n_below / self.n_records if self.n_records else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        plain: dict[str, Any] = {
            "quasi_identifiers": list(self.quasi_identifiers),
            "n_records": self.n_records,
            "n_classes": self.n_classes,
            "k": self.k,
            "n_unique": self.n_unique,
            "unique_share": self.n_unique / self.n_records if self.n_records else 0.0,
            "n_all_missing": self.n_all_missing,
            "acceptable_k": self.acceptable_k,
            "acceptable": self.acceptable,
            "n_below_acceptable": self.n_below,
            "below_acceptable_share": self.below_share,
            "highest_risk": 1 / self.k if self.k else 0.0,
            "average_risk": self.n_classes / self.n_records if self.n_records else 0.0,
            "missing": self.missing,
            "worst": [worst.to_dict() for worst in self.worst],
            "class_sizes": self.sizes.to_dicts(),
            "models": dict(self.models),
        }
        if self.scores:
            plain["measures"] = {name: score.to_dict() for name, score in self.scores.items()}
        if self.verdicts:
            plain["verdicts"] = [verdict.to_dict() for verdict in self.verdicts]
        if self.skipped:
            plain["skipped"] = dict(self.skipped)
        if self.scenarios:
            plain["scenarios"] = {name: one.to_dict() for name, one in self.scenarios.items()}
        return plain


Reached: TypeAlias = Callable[[Classes], Mapping[str, Any]]
"""How far each privacy model is reached by some classes."""


def _k_alone(classes: Classes) -> Mapping[str, Any]:
    return {"k_anonymity": classes.k}


def assess_table(
    table: Table | LazyTable,
    *,
    missing: Missing = "category",
    n_worst: int = N_WORST,
    thresholds: Mapping[int, int] | None = None,
    models: Reached = _k_alone,
) -> Assessment:
    """Assess a table for its quasi-identifiers, and for each further scenario.

    ``models`` says how far privacy models are reached; it comes from a room beside this one.
    """

    def of(keys: tuple[str, ...], scenarios: Mapping[str, Assessment] | None = None) -> Assessment:
        classes = Classes.of(table, keys, missing)
        return _assess_classes(classes, n_worst, thresholds, models(classes), scenarios)

    main, *others = table.roles.key_sets().items()
    return of(main[1], {str(name): of(keys) for name, keys in others})


def _assess_classes(
    classes: Classes,
    n_worst: int,
    thresholds: Mapping[int, int] | None,
    models: Mapping[str, Any],
    scenarios: Mapping[str, Assessment] | None,
) -> Assessment:
    enough = acceptable_k(classes.n_records, thresholds)
    return Assessment(
        quasi_identifiers=classes.columns,
        n_records=classes.n_records,
        n_classes=classes.n_classes,
        k=classes.k,
        n_unique=n_unique(classes),
        n_all_missing=int(classes.record_counts[classes.all_missing].sum()),
        acceptable_k=enough,
        n_below=int(classes.record_counts[classes.sizes < enough].sum()),
        worst=_worst(classes, n_worst),
        sizes=size_histogram(classes),
        models=models,
        missing=classes.missing,
        unique_records=_uniques(classes),
        scenarios=scenarios or {},
    )


def _uniques(classes: Classes) -> pl.DataFrame:
    """The keys of records that nobody shares their keys with, one row per record, in order."""
    if not classes.columns:
        return classes.keys
    alone = np.flatnonzero(classes.sizes == 1)
    found = classes.keys[np.repeat(alone, classes.record_counts[alone])]
    return found.sort(classes.columns)


def _worst(classes: Classes, n_worst: int) -> tuple[WorstClass, ...]:
    """The smallest classes, smallest first, ties in the order of their keys."""
    if not classes.columns:
        return tuple(WorstClass(int(size), 1.0, {}) for size in classes.sizes)
    limit = np.sort(classes.sizes)[:n_worst].max(initial=0)
    small = np.flatnonzero(classes.sizes <= limit)
    ranked = classes.keys[small].with_columns(
        pl.Series("__size", classes.sizes[small]),
        pl.Series("__share", classes.record_counts[small] / max(classes.n_records, 1)),
    )
    smallest = ranked.bottom_k(n_worst, by=["__size", *classes.columns])
    rows = smallest.sort("__size", *classes.columns).to_dicts()
    return tuple(WorstClass(row.pop("__size"), row.pop("__share"), row) for row in rows)
