"""The study's data: Adult and Census, each with a hold-out and a declared domain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from microveil.studies.sources import adult, adult_hierarchies, census
from microveil.tables import Roles, Table

TARGET = "salary-class"
SEED = 2026
LARGEST_AMOUNTS = {
    "AFNLWGT": 1_000_000,
    "AGI": 100_000,
    "EMCONTRB": 10_000,
    "FEDTAX": 25_000,
    "PTOTVAL": 100_000,
    "STATETAX": 10_000,
    "TAXINC": 100_000,
    "POTHVAL": 50_000,
    "INTVAL": 25_000,
    "PEARNVAL": 100_000,
    "FICA": 10_000,
    "WSALVAL": 100_000,
    "ERNVAL": 100_000,
}
"""Round numbers above which amounts of the Census count as the largest."""
BINS = 16


@dataclass(frozen=True, eq=False)
class Source:
    """Records to model, records that no model sees, and what is publicly known about them."""

    title: str
    table: Table
    holdout: pl.DataFrame
    domain: Mapping[str, Any]
    target: str | None
    numbers: bool


def census_source(*, quick: bool) -> Source:
    """Two thirds of the Census; a quick run has fewer records and columns."""
    frame = census().sample(fraction=1.0, shuffle=True, seed=SEED)
    if quick:
        frame = frame[:300, :4]
    cut = 2 * frame.height // 3
    domain = {
        name: {"low": 0, "high": LARGEST_AMOUNTS[name], "bins": BINS} for name in frame.columns
    }
    roles = Roles(quasi_identifiers=tuple(frame.columns))
    return Source("Census", Table(frame[:cut], roles), frame[cut:], domain, None, numbers=True)


def adult_source(*, quick: bool) -> Source:
    """8,000 records of Adult and 4,000 held out; a quick run has 300 and 150."""
    n = 300 if quick else 8_000
    frame = adult().sample(n + n // 2, shuffle=True, seed=SEED)
    keys = tuple(name for name in frame.columns if name != TARGET)
    roles = Roles(quasi_identifiers=keys, sensitive=(TARGET,))
    return Source(
        "Adult", Table(frame[:n], roles), frame[n:], _adult_domain(), TARGET, numbers=False
    )


def _adult_domain() -> dict[str, Any]:
    """Categories by ARX's published hierarchies, which list all that can occur."""
    domain: dict[str, Any] = {}
    for name, hierarchy in adult_hierarchies().items():
        listed = pl.read_csv(
            hierarchy.path, separator=";", has_header=False, infer_schema=False
        ).to_series(0)
        domain[name] = listed.to_list()
    frame = adult()
    if frame["age"].dtype.is_integer():
        domain["age"] = {"low": 17, "high": 90}
    return domain
