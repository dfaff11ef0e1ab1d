"""Assessment: the disclosure risk of one table, as the measures show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.display import Card, Shown, grid
from microveil.risk.assessment.acceptable_k import KRule, acceptable_k
from microveil.risk.assessment.attackers import attackers_of
from microveil.risk.assessment.verdicts import Verdict
from microveil.scores import Score
from microveil.tables import Classes, LazyTable, Missing, Standing, Table
from microveil.tables.kinds import as_python
from microveil.tables.names import free_name

N_WORST = 5


@dataclass(frozen=True, eq=False)
class WorstClass:
    """One of the smallest classes."""

    size: int
    share: float
    """Its records as a share of all records."""
    values: Mapping[str, Any]
    """Its quasi-identifiers: confidential, only for those who hold the data."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"size": self.size, "share": self.share, "values": dict(self.values)}


@dataclass(frozen=True, eq=False, repr=False)
class Assessment(Shown):
    """The disclosure risk of a table as it is, for one set of quasi-identifiers."""

    standing: Standing
    """The numbers of its class sizes, and whether they count rows or people."""
    acceptable_k: int
    """The k that a table of this size should reach."""
    worst: tuple[WorstClass, ...]
    models: Mapping[str, Any]
    """The level of each privacy model that the table satisfies."""
    _classes: Classes | None = field(repr=False)
    scenarios: Mapping[str, Assessment] = field(default_factory=dict)
    scores: Mapping[str, Score] = field(default_factory=dict)
    """Further measures, by name."""
    verdicts: tuple[Verdict, ...] = ()
    """Singling out, linkability, inference: how high each risk is, in words."""
    skipped: Mapping[str, str] = field(default_factory=dict)
    """Measures that could not be taken, and why."""

    @cached_property
    def unique_records(self) -> pl.DataFrame:
        """The quasi-identifiers of the unique records: confidential. Empty if none were kept."""
        return pl.DataFrame() if self._classes is None else _uniques(self._classes)

    def __getstate__(self) -> dict[str, Any]:
        """Without the table: a stored assessment holds no more than the unique records' keys."""
        return self.__dict__ | {"unique_records": self.unique_records, "_classes": None}

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """The keys that classes are formed by."""
        return self.standing.keys

    @property
    def standings(self) -> dict[str | None, Standing]:
        """Where the table stands by its quasi-identifiers, under None, and by each scenario's."""
        found: dict[str | None, Assessment] = {None: self}
        return {name: one.standing for name, one in (found | dict(self.scenarios)).items()}

    @property
    def missing(self) -> Missing:
        """How a missing key is treated."""
        return self.standing.missing

    @property
    def counts(self) -> str:
        """What class sizes, and so k and the risks, count: ``people`` or ``records``."""
        return self.standing.counts

    @property
    def n_records(self) -> int:
        """Rows of the table."""
        return self.standing.n_records

    @property
    def n_people(self) -> int | None:
        """People in the table; None if every row is a person."""
        return self.standing.n_people

    @property
    def n_classes(self) -> int:
        """Number of distinct combinations of keys."""
        return self.standing.n_classes

    @property
    def k(self) -> int:
        """Size of the smallest class; 0 for an empty table."""
        return self.standing.k

    @property
    def n_unique(self) -> int:
        """Rows of people who share their keys with nobody."""
        return self.standing.n_unique

    @property
    def n_unique_people(self) -> int | None:
        """People who share their keys with nobody; None if every row is a person."""
        return self.standing.n_unique_people

    @property
    def n_all_missing(self) -> int:
        """Rows with every key missing; the classes include them."""
        return self.standing.n_all_missing

    @property
    def average_risk(self) -> float:
        """Mean of 1 / class size over all records (people, where the roles name an entity)."""
        return self.standing.average_risk

    @property
    def sizes(self) -> pl.DataFrame:
        """Histogram: size, n_classes, n_records."""
        return self.standing.sizes

    @property
    def n_below(self) -> int:
        """Rows in classes below the acceptable k."""
        return self.standing.n_below(self.acceptable_k)

    @property
    def acceptable(self) -> bool:
        """Whether k is as large as it should be."""
        return self.k >= self.acceptable_k or self.n_records == 0

    @property
    def below_share(self) -> float:
        """Share of records in classes smaller than the acceptable k."""
        return self.standing.below_share(self.acceptable_k)

    def card(self) -> Card:
        """Class sizes, verdicts and measures, without any values of records."""
        size = f"k = {self.k} (acceptable: {self.acceptable_k})"
        lines = [
            f"{size}; {self.standing.unique_words()}; {self.n_classes:,} classes",
            *([] if self.n_people is None else [self.standing.counting_words()]),
            f"a missing key is treated as a {self.missing}",
            *(repr(verdict) for verdict in self.verdicts),
            *(f"scenario {name}: k = {one.k}" for name, one in self.scenarios.items()),
        ]
        rows = [(name, score.value, score.scale) for name, score in self.scores.items()]
        grids = (grid(("measure", "value", "scale"), rows),) if rows else ()
        title = f"Disclosure risk by {', '.join(self.quasi_identifiers) or 'no column'}"
        return Card(title, tuple(lines), grids)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        plain: dict[str, Any] = {
            **self.standing.to_dict(),
            "acceptable_k": self.acceptable_k,
            "acceptable": self.acceptable,
            "n_below_acceptable": self.n_below,
            "below_acceptable_share": self.below_share,
            "worst": [worst.to_dict() for worst in self.worst],
            "class_sizes": self.sizes.to_dicts(),
            "models": dict(self.models),
        }
        if attackers := attackers_of(self.scores).to_dict():
            plain["attackers"] = attackers
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
"""The level of each privacy model that some classes satisfy."""


def _k_alone(classes: Classes) -> Mapping[str, Any]:
    return {"k_anonymity": classes.k}


def assess_table(
    table: Table | LazyTable,
    *,
    missing: Missing = "category",
    n_worst: int = N_WORST,
    thresholds: KRule | None = None,
    models: Reached = _k_alone,
    records: bool = True,
) -> Assessment:
    """Assess a table for its quasi-identifiers, and for each further scenario.

    ``models`` computes the level of each privacy model; it comes from a neighbouring package.
    Without ``records`` the table and its classes are not kept, from which the unique records are
    listed when they are asked for.
    """

    def of(keys: tuple[str, ...], scenarios: Mapping[str, Assessment] | None = None) -> Assessment:
        classes = Classes.of(table, keys, missing)
        found = _assess_classes(classes, n_worst, thresholds, models(classes), scenarios)
        return replace(found, _classes=classes) if records else found

    main, *others = table.roles.key_sets().items()
    return of(main[1], {str(name): of(keys) for name, keys in others})


def _assess_classes(
    classes: Classes,
    n_worst: int,
    thresholds: KRule | None,
    models: Mapping[str, Any],
    scenarios: Mapping[str, Assessment] | None,
) -> Assessment:
    return Assessment(
        standing=Standing.of(classes),
        acceptable_k=acceptable_k(classes.n_records, thresholds),
        worst=_worst(classes, n_worst),
        models=models,
        _classes=None,
        scenarios=scenarios or {},
    )


def _uniques(classes: Classes) -> pl.DataFrame:
    """The keys of unique records, one row per record, in order."""
    if not classes.columns:
        return classes.keys
    alone = np.flatnonzero(classes.sizes == 1)
    rows = np.repeat(alone, classes.record_counts[alone])
    return pl.DataFrame([classes.key(name)[rows] for name in classes.columns]).sort(classes.columns)


def _worst(classes: Classes, n_worst: int) -> tuple[WorstClass, ...]:
    """The smallest classes, smallest first, ties in the order of their keys."""
    if not n_worst:
        return ()
    if not classes.columns:
        return tuple(WorstClass(int(size), 1.0, {}) for size in classes.sizes)
    limit = np.sort(classes.sizes)[:n_worst].max(initial=0)
    sure = np.flatnonzero(classes.sizes < limit)
    tied = np.flatnonzero(classes.sizes == limit)
    few = np.concatenate([sure, _first_keys(classes, tied, n_worst - len(sure))])
    keys = pl.DataFrame([classes.key(name)[few] for name in classes.columns])
    size = free_name("size", keys.columns)
    place = free_name("place", [*keys.columns, size])
    ranked = keys.with_columns(pl.Series(size, classes.sizes[few]), pl.Series(place, few))
    smallest = ranked.sort(size, *keys.columns)
    chosen = smallest[place].to_numpy()
    shares = classes.record_counts[chosen] / max(classes.n_records, 1)
    shown = as_python(smallest.select(keys.columns)).to_dicts()
    return tuple(
        WorstClass(int(one), float(share), values)
        for one, share, values in zip(classes.sizes[chosen], shares, shown, strict=True)
    )


def _first_keys(classes: Classes, among: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """The classes whose keys come first, missing ones last; key by key, to hold one at a time."""
    found = []
    for name in classes.columns:
        if len(among) <= n:
            break
        values = classes.key(name)[among]
        order = values.arg_sort(nulls_last=True).head(n).to_numpy()
        last = values.eq_missing(values.slice(int(order[-1]), 1)).to_numpy()
        before = order[~last[order]]
        found.append(among[before])
        n -= len(before)
        among = among[last]
    return np.concatenate([*found, among[:n]])
