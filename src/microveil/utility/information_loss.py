"""Information loss: errors of values, records, covariances and correlations."""

from __future__ import annotations

import sys
from typing import ClassVar, Literal

import numpy as np

from microveil.arrays import Floats
from microveil.measures.base import UtilityMeasure
from microveil.pairs.numbers import PairedNumbers, complete_numbers
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns
from microveil.utility.parts.correlations import scaled_covariances
from microveil.utility.parts.covariances import covariances_of
from microveil.utility.parts.shares import relative_moves

Of = Literal["values", "records", "covariances", "correlations"]
Error = Literal["mse", "mae", "mre"]


class InformationLoss(UtilityMeasure):
    """Mean squared, absolute or relative error of values, records, covariances or correlations.

    ``parts`` has all twelve (``values_mse`` … ``correlations_mre``); ``of`` and ``error`` choose
    which one is the score. Means are over all cells of the matrices. Relative errors divide by
    |a| where a ≠ 0. A record is a vector, and its error is the distance ‖a − b‖ that it moved,
    squared, plain, or divided by ‖a‖; columns in large units dominate it. Only complete records
    count; covariances divide by n − 1; a constant column has correlation 0 with others
    (Domingo-Ferrer, Mateo-Sanz & Torra 2001).

    >>> loss = InformationLoss(error="mae").measure({"x": [1.0, 2.0]}, {"x": [2.0, 2.0]})
    >>> loss.value
    0.5
    """

    question: ClassVar[str] = "How far did numbers move?"
    title: ClassVar[str] = "Errors of values, covariances and correlations"
    name: Literal["information_loss"] = "information_loss"
    needs_alignment: ClassVar[bool] = True
    needs_numbers: ClassVar[bool] = True
    computes: ClassVar[bool] = True
    columns: Columns = ()
    """Columns to compare; by default all that are numeric before and after."""
    of: Of = "values"
    """Quantity that the score compares."""
    error: Error = "mse"
    """Error that the score reports."""

    def score(self, original: Table, released: Table) -> Score:
        """Compute all twelve; one of them is the score."""
        paired = complete_numbers(original, released, self.columns)
        parts = {
            f"{of}_{error}": value
            for of, (before, after) in _matrices(paired).items()
            for error, value in _errors(before, after).items()
        }
        of_records = _record_errors(paired.before, paired.after)
        parts |= {f"records_{error}": value for error, value in of_records.items()}
        value = parts[f"{self.of}_{self.error}"]
        return Score(measure=self.kind(), value=value, scale=self.error, parts=parts)


def _matrices(paired: PairedNumbers) -> dict[str, tuple[Floats, Floats]]:
    d = len(paired.columns)
    enough = len(paired.before) > 1 and d > 0

    def covariances(values: Floats) -> Floats:
        return covariances_of(values) if enough else np.zeros((d, d))

    before, after = covariances(paired.before), covariances(paired.after)
    return {
        "values": (paired.before, paired.after),
        "covariances": (before, after),
        "correlations": (scaled_covariances(before), scaled_covariances(after)),
    }


def _errors(before: Floats, after: Floats) -> dict[str, float]:
    if not before.size:
        return {"mse": 0.0, "mae": 0.0, "mre": 0.0}
    squares = moved = relative = 0.0
    n_relative = 0
    for ours, theirs in zip(before.T, after.T, strict=True):  # by column, to hold little at a time
        moves = np.abs(ours - theirs)
        moved += float(moves.sum())
        with np.errstate(over="ignore"):  # covariances of numbers near 1e150 cannot be squared
            squares += float((moves**2).sum())
        there = ours != 0
        relative += float(relative_moves(ours[there], theirs[there]).sum())
        n_relative += int(there.sum())
    return {
        "mse": min(squares, sys.float_info.max) / before.size,
        "mae": moved / before.size,
        "mre": relative / n_relative if n_relative else 0.0,
    }


def _record_errors(before: Floats, after: Floats) -> dict[str, float]:
    if not before.size:
        return {"mse": 0.0, "mae": 0.0, "mre": 0.0}
    moved, length = np.zeros(len(before)), np.zeros(len(before))
    for ours, theirs in zip(before.T, after.T, strict=True):
        moved += (ours - theirs) ** 2
        length += ours**2
    moved, length = np.sqrt(moved), np.sqrt(length)
    relative = moved[length > 0] / length[length > 0]
    return {
        "mse": float((moved**2).mean()),
        "mae": float(moved.mean()),
        "mre": float(relative.mean()) if relative.size else 0.0,
    }
