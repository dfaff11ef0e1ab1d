"""The gate: risks that rose, utility that fell and data that drifted since the last release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

MISSING_MARGIN = 0.05
"""By how much the share of missing cells of a column may rise."""


@dataclass(frozen=True)
class Margins:
    """What may change between two releases."""

    risk: float = 0.0
    """By how much a risk may rise."""
    utility: float = 0.05
    """By how much a loss of utility may rise."""
    new_categories: int = 0
    """How many new categories a column may have."""
    rare: float = 0.05
    """By how much the share of records in rare classes may rise."""


@dataclass(frozen=True)
class Finding:
    """One thing that has changed too much: names and numbers, no values."""

    kind: str
    name: str
    before: float | str | None
    now: float | str | None
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dict(self.__dict__)


@dataclass(frozen=True)
class Gate:
    """Whether a release may pass, compared with the last accepted one."""

    baseline: str
    requirements: tuple[str, ...]
    """Requirements of the recipe that do not hold, one sentence each."""
    findings: tuple[Finding, ...]
    measured: Mapping[str, Any]
    """What was measured now: the baseline of the next release."""

    @property
    def holds(self) -> bool:
        """Whether it may pass."""
        return not self.findings and not self.requirements

    def sentences(self) -> list[str]:
        """Everything that keeps it from passing."""
        return [*self.requirements, *(one.sentence for one in self.findings)]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "holds": self.holds,
            "baseline": self.baseline,
            "requirements": list(self.requirements),
            "findings": [one.to_dict() for one in self.findings],
            "measured": dict(self.measured),
        }


def compare_measured(
    before: Mapping[str, Any], now: Mapping[str, Any], margins: Margins
) -> tuple[Finding, ...]:
    """Everything that changed by more than it may."""
    return (
        *_find_rises(before, now, "risk", margins.risk, "The risk"),
        *_find_rises(before, now, "utility", margins.utility, "The loss of utility"),
        *_find_drift(before["data"], now["data"], margins),
    )


def _find_rises(
    before: Mapping[str, Any], now: Mapping[str, Any], kind: str, margin: float, what: str
) -> Iterator[Finding]:
    for name, new in now[kind].items():
        old = before[kind].get(name)
        if old is not None and new > old + margin + 1e-12:
            told = f"{what} '{name}' rose from {old:.4g} to {new:.4g}; {margin:g} is allowed."
            yield Finding(kind, name, old, new, told)


def _find_drift(
    before: Mapping[str, Any], now: Mapping[str, Any], margins: Margins
) -> Iterator[Finding]:
    old, new = before["columns"], now["columns"]
    for name in (*(one for one in new if one not in old), *(one for one in old if one not in new)):
        what = "is new" if name in new else "is gone"
        yield Finding("column", name, None, None, f"Column '{name}' {what}.")
    for name in (one for one in new if one in old):
        yield from _compare_columns(name, old[name], new[name], margins)
    rare = float(before["rare_share"]), float(now["rare_share"])
    if rare[1] > rare[0] + margins.rare:
        told = f"The share of records in rare classes rose from {rare[0]:.1%} to {rare[1]:.1%}."
        yield Finding("rare", "rare_share", *rare, told)


def _compare_columns(
    name: str, old: Mapping[str, Any], new: Mapping[str, Any], margins: Margins
) -> Iterator[Finding]:
    if old["type"] != new["type"]:
        told = f"Column '{name}' held {old['type']} and holds {new['type']}."
        yield Finding("type", name, old["type"], new["type"], told)
    if "categories" in old and "categories" in new:
        known = set(old["categories"])
        n_new = len(set(new["categories"]) - known)
        if n_new > margins.new_categories:
            told = f"Column '{name}' has {n_new:,} new categories."
            yield Finding("categories", name, len(known), len(known) + n_new, told)
    missing = float(old["missing_share"]), float(new["missing_share"])
    if missing[1] > missing[0] + MISSING_MARGIN:
        told = f"Column '{name}': missing cells rose from {missing[0]:.1%} to {missing[1]:.1%}."
        yield Finding("missing", name, *missing, told)
