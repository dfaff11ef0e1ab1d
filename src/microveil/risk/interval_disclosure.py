"""Interval disclosure: how many original values lie close to the released ones."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from microveil.arrays import Flags, Floats
from microveil.errors import InputError
from microveil.measures.base import RiskMeasure
from microveil.pairs.known_columns import numbers_of_pair, pair_tables
from microveil.pairs.numbers import PairedNumbers
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns


class IntervalDisclosure(RiskMeasure):
    """Share of records with every original value in an interval around the released one.

    With ``around="sd"`` the interval is x' ± k·σ', where σ' is the standard deviation (n − 1) of
    the released column: sdcMicro's ``dRisk``. With ``around="ranks"`` it extends k·n ranks down and
    up in the released column (Domingo-Ferrer & Torra 2001). With ``around="robust_distance"`` it is
    x' ± k·0.05·d on standardised values, where d is the record's robust Mahalanobis distance, and a
    record is disclosed if any value lies inside: sdcMicro's ``dRiskRMD`` (Templ & Meindl 2008),
    which uses wider intervals for outliers because they are easier to recognise.

    ``parts`` has the share for each column alone; ``records`` is 1 for disclosed records. A record
    counts for a column if neither cell is missing. As in sdcMicro, a missing cell excludes nothing
    in the joint criterion, but a record without any pair of cells is not disclosed.

    >>> frame, released = {"x": [1.0, 2.0, 9.0]}, {"x": [1.5, 2.0, 4.0]}
    >>> round(IntervalDisclosure(k=0.5).measure(frame, released).value, 3)
    0.667
    """

    question: ClassVar[str] = "Can something be inferred about somebody?"
    title: ClassVar[str] = "Original near the released value"
    plain: ClassVar[str] = (
        "Share of records whose every number is within a narrow interval around the released one."
    )
    headline: ClassVar[bool] = True
    name: Literal["interval_disclosure"] = "interval_disclosure"
    needs_original: ClassVar[bool] = True
    needs_alignment: ClassVar[bool] = True
    needs_numbers: ClassVar[bool] = True
    k: float = Field(default=0.05, ge=0)
    """Half the width of the interval, in standard deviations, or as a share of the ranks."""
    columns: Columns = ()
    """Columns to use; by default all that are numeric before and after."""
    around: Literal["sd", "ranks", "robust_distance"] = "sd"
    """Unit of the width."""
    joint: bool = True
    """Whether the value is the share of records disclosed in all columns (with robust_distance: in
    any), or otherwise the highest share of a single column."""
    isolated: float = Field(default=0.05, ge=0)
    """With robust_distance: a disclosed record is hidden by any other released record within this
    distance (sdcMicro's k2)."""

    def score(self, original: Table | None, table: Table) -> Score:
        """Check which original values the intervals contain.

        Rows that say the same about one person count once.
        """
        both = pair_tables(original, table, self.columns)
        found = self._score_intervals(numbers_of_pair(both, self.columns))
        if found.records is None:
            return found
        return replace(found, records=found.records[both.alike.of_row])

    def _score_intervals(self, pair: PairedNumbers) -> Score:
        if self.around == "robust_distance":
            return self._robust(pair)
        inside = self._inside(pair)
        present = ~(np.isnan(pair.before) | np.isnan(pair.after))
        disclosed = np.asarray((inside | ~present).all(axis=1) & present.any(axis=1))
        return self._score(pair, inside, present, disclosed)

    def _score(self, pair: PairedNumbers, inside: Flags, present: Flags, disclosed: Flags) -> Score:
        shares = {
            name: share_of(inside[present[:, number], number])
            for number, name in enumerate(pair.columns)
        }
        joint = share_of(disclosed)
        return Score(
            measure=self.kind(),
            value=joint if self.joint else max(shares.values(), default=0.0),
            parts={"joint": joint, "columns": shares, "n_records": len(disclosed)},
            records=disclosed.astype(np.float64),
        )

    def _inside(self, pair: PairedNumbers) -> Flags:
        ends = _by_ranks if self.around == "ranks" else _by_spread
        inside = np.zeros(pair.before.shape, dtype=np.bool_)
        for number in range(len(pair.columns)):  # one column's ends at a time: they are many
            before = pair.before[:, number]
            low, high = ends(pair.after[:, number], self.k)
            inside[:, number] = (low <= before) & (before <= high)
        return inside

    def _robust(self, pair: PairedNumbers) -> Score:
        """As dRiskRMD does: records disclosed in any column, then those that none hides."""
        keep = pair.present
        before, after = _standardize(pair.before[keep]), _standardize(pair.after[keep])
        widths = robust_widths(before, pair.columns)
        inside = np.abs(after - before) < self.k * widths[:, None]
        unsafe = np.asarray(inside.any(axis=1))
        isolated = unsafe & isolated_records(after, self.isolated)
        shares = {name: share_of(inside[:, number]) for number, name in enumerate(pair.columns)}
        joint, n = share_of(unsafe), max(len(before), 1)
        disclosed = np.zeros(len(keep))
        disclosed[keep] = unsafe
        return Score(
            measure=self.kind(),
            value=joint if self.joint else max(shares.values(), default=0.0),
            parts={
                "joint": joint,
                "isolated": share_of(isolated),
                "weighted": float(unsafe.sum() * widths[unsafe].sum() / n),
                "weighted_isolated": float(isolated.sum() * widths[isolated].sum() / n),
                "columns": shares,
                "n_records": len(before),
            },
            records=disclosed,
        )


def share_of(flags: Flags) -> float:
    """Share of true entries; 0 if there are none."""
    return float(flags.mean()) if len(flags) else 0.0


def _by_spread(after: Floats, k: float) -> tuple[Floats, Floats]:
    width = k * _spread(after)
    return after - width, after + width


def _spread(after: Floats) -> float:
    """Standard deviation (n − 1) of a column's present cells; 0 for a single one."""
    present = after[~np.isnan(after)]
    centred = present - present.sum() / max(len(present), 1)
    return float(np.sqrt((centred**2).sum() / max(len(present) - 1, 1)))


def _by_ranks(after: Floats, k: float) -> tuple[Floats, Floats]:
    """The released values k·n ranks below and above each one; tied values share their ranks."""
    low, high = np.full_like(after, np.nan), np.full_like(after, np.nan)
    there = ~np.isnan(after)
    values = after[there]
    ranked = np.sort(values)
    # 0.3 · 10 is 2.999… in floating point and means 3.
    reach = int(k * len(ranked) + 1e-9)
    first = np.searchsorted(ranked, values, side="left") - reach
    last = np.searchsorted(ranked, values, side="right") - 1 + reach
    low[there] = ranked[np.maximum(first, 0)] if len(ranked) else values
    high[there] = ranked[np.minimum(last, len(ranked) - 1)] if len(ranked) else values
    return low, high


def _standardize(points: Floats) -> Floats:
    if not len(points):
        return points
    spread = np.array([_spread(column) for column in points.T])
    return np.asarray((points - points.mean(axis=0)) / np.where(spread > 0, spread, np.inf))


def robust_widths(points: Floats, columns: tuple[str, ...]) -> Floats:
    """0.05 × the robust Mahalanobis distance of each standardised record from the mean."""
    from microveil.statistics.mcd import robust_moments

    if not len(points) or not points.shape[1]:
        return np.zeros(len(points))
    varying = points.std(axis=0) > 0
    if not varying.any():
        return np.zeros(len(points))
    points = points[:, varying]
    found = robust_moments(points)
    if found is None:
        names = [name for name, moves in zip(columns, varying, strict=True) if moves]
        raise InputError(
            "Columns {names:quoted} are collinear in more than half of the records (sums, "
            "many equal values), so robust distances do not exist. Name fewer columns, or "
            "use `around: sd`.",
            names=names,
        )
    return np.asarray(0.05 * np.sqrt(found.distances(points, points.mean(axis=0))))


def isolated_records(points: Floats, reach: float) -> Flags:
    """Whether the nearest other record is farther away than ``reach``."""
    from microveil.kernels.neighbours.nearest import nearest_neighbours

    if len(points) < 2 or not points.shape[1]:  # noqa: PLR2004  nobody else is there
        return np.full(len(points), bool(points.shape[1]))
    nearest = nearest_neighbours(points, 1)[:, 0]
    return np.asarray(np.sqrt(((points - points[nearest]) ** 2).sum(axis=1)) > reach)
