"""Entropy loss: how many bits of each column the release withholds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field

from microveil.arrays import Longs
from microveil.hierarchies import AnyHierarchy, Hierarchy
from microveil.measures.base import UtilityMeasure
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.codes import encode
from microveil.tables.roles import Columns
from microveil.tables.values import as_text
from microveil.utility.parts.key_columns import KeyColumn, key_columns, silent
from microveil.utility.parts.shares import share


class EntropyLoss(UtilityMeasure):
    """Share of a column's bits that the release withholds.

    A value has log₂(n/n_v) bits, where n_v is the number of records that share it. A label
    withholds log₂ of (records with the label) / (those of them with the value): the uncertainty
    that remains after seeing it, given the frequencies in the data (non-uniform entropy; de Waal &
    Willenborg 1999, Gionis & Tassa 2009). ``*``, missing cells, removed records and dropped keys
    withhold all bits. The score is over all columns together; ``parts`` has each column. With
    hierarchies, if every column is at one level apart from suppressed records, ``arx_quality`` is
    ARX's quality, which counts only the uncertainty among suppressed records.

    Only generalisation and suppression cost bits: a released number that occurs once counts as
    known exactly, even if it contains noise.

    >>> EntropyLoss().measure({"sex": ["f", "m"] * 2}, {"sex": ["f", "m", "*", "*"]}).value
    0.5
    """

    question: ClassVar[str] = "How coarse did values become?"
    title: ClassVar[str] = "Bits withheld"
    plain: ClassVar[str] = "Share of a column's information that the release withholds."
    headline: ClassVar[bool] = True
    name: Literal["entropy_loss"] = "entropy_loss"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    needs_alignment: ClassVar[bool] = True
    looks_labels_up: ClassVar[bool] = True
    columns: Columns = ()
    """Columns to use; by default the quasi-identifiers, or all if there are none."""
    hierarchies: Mapping[str, AnyHierarchy] = Field(default_factory=dict)
    """How values generalise, by column; needed only for ARX's quality."""

    def score(self, original: Table, released: Table) -> Score:
        """Compute the uncertainty that each label leaves."""
        keys = key_columns(original, released, self.columns, self.hierarchies, paired=True)
        order = _release_row(original, released)
        bits = {key.name: _bits(key, order) for key in keys}
        lost = {name: one for name, (one, _) in bits.items()}
        most = {name: one for name, (_, one) in bits.items()}
        parts: dict[str, object] = {
            "columns": {name: share(lost[name], most[name]) for name in lost},
            "bits_lost": sum(lost.values()),
            "bits": sum(most.values()),
        }
        arx = _arx_bits(keys, order)
        if arx is not None:
            parts["arx_quality"] = 1 - share(arx, sum(most.values()))
        value = share(sum(lost.values()), sum(most.values()))
        return Score(measure=self.kind(), value=min(max(value, 0.0), 1.0), parts=parts)


def _bits(key: KeyColumn, order: Longs) -> tuple[float, float]:
    """The bits of a column that its labels withhold, and all that it has."""
    codes = _codes(key.original)
    return _withheld(codes, _labels(key, order)), _open_bits(codes, np.zeros_like(codes))


def _release_row(original: Table, released: Table) -> Longs:
    """Row of the release for each record of the original; −1 if removed."""
    if released.rows is None:
        return np.arange(original.height)
    row = np.full(original.height, -1, dtype=np.int64)
    row[released.rows] = np.arange(released.height)
    return row


def _codes(column: pl.Series) -> Longs:
    return encode(column).values


def _labels(key: KeyColumn, order: Longs) -> Longs:
    """Label of each record of the original; 0 if it carries no information."""
    if key.released is None:
        return np.zeros(len(order), dtype=np.int64)
    codes = np.where(silent(key.released), 0, _codes(key.released) + 1)
    labels = np.where(order < 0, 0, np.append(codes, 0)[order])
    # A cell that was already missing has lost nothing.
    missing = key.original.is_null().to_numpy() & (labels == 0) & (order >= 0)
    missing[missing] = np.append(key.released.is_null().to_numpy(), False)[order[missing]]
    return np.where(missing, int(labels.max(initial=0)) + 1, labels)


def _counts_of(codes: Longs) -> Longs:
    """Number of records that share each record's code."""
    return pl.Series("code", codes).to_frame().select(pl.len().over("code")).to_series().to_numpy()


def _open_bits(values: Longs, labels: Longs) -> float:
    """Bits of uncertainty about values that labels leave, summed over records."""
    if not len(values):
        return 0.0
    both = values * (int(labels.max()) + 1) + labels
    return float(np.log2(_counts_of(labels) / _counts_of(both)).sum())


def _withheld(values: Longs, labels: Longs) -> float:
    """Bits that labels withhold; all those of a value if the label is uninformative (0)."""
    silent_cells = labels == 0
    everything = np.log2(len(values) / _counts_of(values)[silent_cells]).sum()
    return float(everything) + _open_bits(values[~silent_cells], labels[~silent_cells])


def _arx_bits(keys: list[KeyColumn], order: Longs) -> float | None:
    """ARX's non-uniform entropy; None unless every column is at one level."""
    if any(key.hierarchy is None or key.released is None for key in keys) or not keys:
        return None
    silences = [silent(key.released) for key in keys if key.released is not None]
    suppressed = np.append(np.logical_and.reduce(silences), True)[order]
    total = 0.0
    for key in keys:
        bits = _column_bits(key, key.hierarchy, suppressed, order)
        if bits is None:
            return None
        total += bits
    return total


def _column_bits(
    key: KeyColumn, hierarchy: Hierarchy | None, suppressed: NDArray[np.bool_], order: Longs
) -> float | None:
    assert hierarchy is not None  # noqa: S101  told by the caller
    assert key.released is not None  # noqa: S101
    published = as_text(key.released).gather(pl.Series(np.maximum(order, 0)))
    for level in range(hierarchy.n_levels):
        labels = as_text(hierarchy.generalize(key.original, level, unlisted="star"))
        if not (labels.ne_missing(published).to_numpy() & ~suppressed).any():
            values, codes = _codes(key.original), _codes(labels)
            return _open_bits(values, codes) + _open_bits(
                codes[suppressed], np.zeros(int(suppressed.sum()), dtype=np.int64)
            )
    return None
