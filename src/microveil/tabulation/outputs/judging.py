"""Verdicts on single outputs: counts behind cells, largest contributions, degrees of freedom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from microveil.tabulation.outputs.appetite import RiskAppetite


class Judged(NamedTuple):
    """A verdict with its reasons by cell."""

    verdict: str
    reasons: tuple[str, ...]
    n: int
    """Records behind the output."""


def judge_cells(
    keys: Any, values: Any | None, limits: RiskAppetite, *, shows_extremes: bool = False
) -> Judged:
    """Judge the cells of a table by the records behind each; ``keys`` is a pandas frame."""
    reasons: list[str] = []
    groups = keys.groupby(list(keys.columns), dropna=False, observed=True).indices
    for codes, rows in groups.items():
        name = " × ".join(map(str, codes if isinstance(codes, tuple) else (codes,)))
        if 0 < len(rows) < limits.threshold:
            reasons.append(f"{name}: {len(rows)} records, below {limits.threshold}")
        elif values is not None:
            reasons += _concentration(name, np.asarray(values, dtype=np.float64)[rows], limits)
    if shows_extremes:
        reasons.append("a minimum or maximum is somebody's own value")
    return Judged("fail" if reasons else "pass", tuple(reasons), len(keys))


def _concentration(name: str, values: np.ndarray, limits: RiskAppetite) -> list[str]:
    """Whether few contributors make up a cell, or one can be estimated too closely."""
    size = np.sort(np.abs(values[~np.isnan(values)]))[::-1]
    total = float(size.sum())
    if total <= 0:
        return []
    n, k = limits.dominance_n, limits.dominance_k
    if size[:n].sum() > k / 100 * total:
        return [f"{name}: the {n} largest contributions hold more than {k:g} %"]
    if total - size[:2].sum() < limits.p / 100 * size[0]:
        return [f"{name}: the largest contribution can be estimated within {limits.p:g} %"]
    return []


def judge_model(df_resid: float, n: int, limits: RiskAppetite) -> Judged:
    """Judge a model by its residual degrees of freedom."""
    if df_resid < limits.degrees_of_freedom:
        reason = f"{df_resid:g} residual degrees of freedom, below {limits.degrees_of_freedom}"
        return Judged("fail", (reason,), n)
    return Judged("pass", (), n)


def judge_counts(counts: Sequence[int], what: str, limits: RiskAppetite, n: int) -> Judged:
    """Judge plain counts, such as the bars of a histogram."""
    small = [int(one) for one in counts if 0 < one < limits.threshold]
    reason = (f"{len(small)} {what} have fewer than {limits.threshold} records",) if small else ()
    return Judged("fail" if small else "pass", reason, n)
