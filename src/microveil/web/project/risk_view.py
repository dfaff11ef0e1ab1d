"""RiskView: an assessment as a page shows it: numbers, bins, contributions, worst classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from microveil.display import percent
from microveil.risk import Assessment
from microveil.risk.assessment.attackers import Attackers, attackers_of
from microveil.scores import Score
from microveil.tables import Table

BINS = 20
MOST_WORST = 50
SHOWN_SIZES = (1, 2, 3, 5, 10, 20, 50, 100)
"""Upper ends of the groups of class sizes that are drawn."""


@dataclass(frozen=True)
class Bar:
    """One bar of a chart."""

    label: str
    value: float
    note: str = ""


@dataclass(frozen=True)
class MeasureView:
    """One measure: its name, value and what the value means."""

    name: str
    value: float
    better: str
    parts: Mapping[str, float]


@dataclass(frozen=True)
class RiskView:
    """What was found out about the risk of a table."""

    n_records: int
    k: int
    n_unique: int
    n_classes: int
    acceptable_k: int
    n_below: int
    average_risk: float
    measures: tuple[MeasureView, ...]
    verdicts: tuple[tuple[str, str, str], ...]
    """What is judged, how it stands, and why."""
    attackers: Attackers
    """Prosecutor, journalist and marketer."""
    skipped: Mapping[str, str]
    individual: tuple[Bar, ...]
    """How many records have which individual risk."""
    contributions: tuple[Bar, ...]
    """How much each key contributes to special uniques (SUDA)."""
    worst: tuple[tuple[int, Mapping[str, Any]], ...]
    """Size and keys of the smallest classes: shown only when asked for."""
    scenarios: Mapping[str, tuple[int, int]]
    """k and unique records of each further scenario."""


def risk_view(found: Assessment, table: Table) -> RiskView:
    """What a page needs of an assessment; records themselves stay behind."""
    individual = found.scores.get("individual_risk")
    return RiskView(
        n_records=found.n_records,
        k=found.k,
        n_unique=found.n_unique,
        n_classes=found.n_classes,
        acceptable_k=found.acceptable_k,
        n_below=found.n_below,
        average_risk=found.average_risk,
        measures=tuple(measure_view(name, score) for name, score in found.scores.items()),
        verdicts=tuple((one.question, one.level, one.sentence) for one in found.verdicts),
        attackers=attackers_of(found.scores),
        skipped=dict(found.skipped),
        individual=_bins(individual),
        contributions=_contributions(found.scores.get("special_uniques"), table),
        worst=tuple((one.size, one.values) for one in found.worst[:MOST_WORST]),
        scenarios={name: (one.k, one.n_unique) for name, one in found.scenarios.items()},
    )


def size_bars(sizes: pl.DataFrame) -> tuple[tuple[str, int], ...]:
    """Records in classes of 1, 2, 3, 4–5 … members, of a histogram of class sizes."""
    groups: list[tuple[str, int]] = []
    low = 1
    for high in (*SHOWN_SIZES, None):
        inside = pl.col("size") >= low
        if high is not None:
            inside &= pl.col("size") <= high
        label = f"> {low - 1}" if high is None else str(low) if low == high else f"{low}–{high}"
        groups.append((label, int(sizes.filter(inside)["n_records"].sum())))
        low = (high or low) + 1
    return tuple(groups)


def measure_view(name: str, score: Score) -> MeasureView:
    """A score without its records: its value and the plain numbers beside it."""
    parts = {
        key: float(value)
        for key, value in score.parts.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    return MeasureView(name, float(score.value), str(score.better), parts)


def _bins(score: Score | None) -> tuple[Bar, ...]:
    """Records by their individual risk."""
    if score is None or score.records is None or not len(score.records):
        return ()
    risks = np.asarray(score.records, dtype=np.float64)
    counts, edges = np.histogram(risks[np.isfinite(risks)], bins=BINS, range=(0, 1))
    return tuple(
        Bar(f"{percent(low)}–{percent(high)}", float(count))
        for count, low, high in zip(counts, edges[:-1], edges[1:], strict=True)
    )


def _contributions(score: Score | None, table: Table) -> tuple[Bar, ...]:
    """How much each key has to do with records that are special."""
    found = {} if score is None else score.parts.get("contributions", {})
    if not isinstance(found, Mapping):
        return ()
    bars = [
        Bar(str(name), float(value))
        for name, value in found.items()
        if isinstance(value, int | float) and name in table.columns
    ]
    return tuple(sorted(bars, key=lambda bar: -bar.value))
