"""Eigenvalues: how much the correlation structure changed."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from microveil.arrays import Floats
from microveil.errors import InputError
from microveil.measures.base import UtilityMeasure
from microveil.pairs.numbers import PairedNumbers, complete_numbers
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns
from microveil.utility.parts.covariances import covariances_of

NOTHING = 1e-10
"""Eigenvalues of a correlation matrix below this are 0 apart from rounding."""


class Eigenvalues(UtilityMeasure):
    """Σ |λ − λ'| / λ over the eigenvalues of the correlation matrix before (λ) and after (λ').

    sdcMicro's ``dUtility(method = "eigen")`` or, with ``robust``, ``"robeigen"``: eigenvalues of
    the minimum covariance determinant of standardised columns, which outliers do not affect (its
    search starts at random, so the last digits differ between programs). Directions in which the
    original has no variance, because columns are exactly collinear, have no relative change: they
    are left out and counted, where sdcMicro divides by rounding errors. ``parts`` has the
    eigenvalues, and ``correlation_structure``, sdcMicro's ``IL_correl``: half the distance, over
    √2, of the normalised diagonals of the inverse correlation matrices. Constant columns and
    incomplete records do not count.

    >>> before = {"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 3.0, 2.0, 4.0]}
    >>> round(Eigenvalues().measure(before, {"x": [1, 2, 3, 4], "y": [1, 2, 3, 4]}).value, 4)
    1.1111
    """

    question: ClassVar[str] = "Are relations between columns kept?"
    title: ClassVar[str] = "Principal directions"
    name: Literal["eigenvalues"] = "eigenvalues"
    needs_alignment: ClassVar[bool] = True
    needs_numbers: ClassVar[bool] = True
    computes: ClassVar[bool] = True
    least_columns: ClassVar[int] = 2
    columns: Columns = ()
    """Columns to compare; by default all that are numeric before and after."""
    robust: bool = False
    """Whether to use a robust covariance, which outliers do not affect."""

    def score(self, original: Table, released: Table) -> Score:
        """Compare the eigenvalues in descending order."""
        paired = _drop_constant(complete_numbers(original, released, self.columns))
        if not paired.columns:
            parts = {"before": [], "after": [], "n_without_extent": 0}
            return Score(measure=self.kind(), value=0.0, scale="relative change", parts=parts)
        before, after = (self._matrix(side) for side in (paired.before, paired.after))
        ours, theirs = (np.linalg.eigvalsh(side)[::-1] for side in (before, after))
        extent = ours > NOTHING * len(ours)
        parts = {
            "before": ours.tolist(),
            "after": theirs.tolist(),
            "n_without_extent": int((~extent).sum()),
            "correlation_structure": _structure(paired),
        }
        value = float((np.abs(ours - theirs)[extent] / ours[extent]).sum())
        return Score(measure=self.kind(), value=value, scale="relative change", parts=parts)

    def _matrix(self, values: Floats) -> Floats:
        if not self.robust:
            return _correlations(values)
        spread = values.std(axis=0, ddof=1)
        spread[spread == 0] = 1
        return _robust_covariance((values - values.mean(axis=0)) / spread)


def _robust_covariance(values: Floats) -> Floats:
    from microveil.statistics.mcd import robust_moments

    n, d = values.shape
    if n <= 2 * d + 1:
        raise InputError(
            "A robust covariance of {d} columns needs more than {least} records.",
            d=d,
            least=2 * d + 1,
        )
    found = robust_moments(values)
    if found is None:
        raise InputError(
            "Columns are collinear in more than half of the records (sums, many equal "
            "values), so a robust covariance does not exist. Name fewer columns, or use the "
            "classical eigenvalues."
        )
    return found.covariance


def _drop_constant(paired: PairedNumbers) -> PairedNumbers:
    """The columns without those that were constant."""
    if len(paired.before) < 2:  # noqa: PLR2004  one record has no spread
        return PairedNumbers((), paired.before[:, :0], paired.after[:, :0])
    varied = np.ptp(paired.before, axis=0) > 0
    names = tuple(name for name, keep in zip(paired.columns, varied, strict=True) if keep)
    if varied.all():
        return paired
    return PairedNumbers(names, paired.before[:, varied], paired.after[:, varied])


def _correlations(values: Floats) -> Floats:
    """Correlations; 0 for a constant column."""
    covariance = covariances_of(values)
    spread = np.sqrt(np.diag(covariance)).copy()
    spread[spread == 0] = np.inf
    scaled: Floats = covariance / np.outer(spread, spread)
    np.fill_diagonal(scaled, 1.0)
    return scaled


def _structure(paired: PairedNumbers) -> float | None:
    """SdcMicro's IL_correl; None if the correlation matrix is singular."""
    normed = []
    for side in (paired.before, paired.after):
        correlations = _correlations(side)
        if np.linalg.eigvalsh(correlations)[0] <= NOTHING * len(correlations):
            return None
        diagonal = np.diag(np.linalg.inv(correlations))
        normed.append(diagonal / np.linalg.norm(diagonal))
    return float(np.linalg.norm(normed[0] - normed[1]) / np.sqrt(2))
