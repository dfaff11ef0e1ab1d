"""Compression: values hidden by noise are modelled as one, and separated again in the draw."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from microveil.arrays import Floats, Ints
from microveil.synthesis.private.marginals import CodedTable, Measurement

THRESHOLD = 3.0
"""A value is kept separate if its noisy count is at least this many standard deviations (McKenna,
Miklau and Sheldon 2021)."""


@dataclass(frozen=True, eq=False)
class _Column:
    """How the codes of a column are merged."""

    places: Ints
    """New code of each code."""
    kept: Ints
    """The codes that are kept separate."""
    rare: Ints
    """The codes merged into one: none, or at least two."""
    chances: Floats
    """Share of each merged code."""


@dataclass(frozen=True, eq=False)
class Compression:
    """How the codes of all columns are merged, decided from noisy counts alone."""

    columns: tuple[_Column, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of new codes of each column."""
        return tuple(len(one.kept) + bool(len(one.rare)) for one in self.columns)

    def forward(self, table: CodedTable) -> CodedTable:
        """Records in new codes."""
        codes = np.stack(
            [one.places[row] for one, row in zip(self.columns, table.codes, strict=True)]
        )
        return CodedTable(codes, self.sizes)

    def measurement(self, position: int, counts: Floats, variance: float) -> Measurement:
        """A column's noisy counts by new code; counts of merged codes are added up."""
        one = self.columns[position]
        size = self.sizes[position]
        values: Floats = np.bincount(one.places, counts, size).astype(np.float64)
        merged: Floats = np.bincount(one.places, minlength=size).astype(np.float64)
        return Measurement((position,), values, merged * variance)

    def back(self, table: CodedTable, rng: np.random.Generator) -> Ints:
        """Records in old codes: merged codes are drawn in proportion to their noisy counts."""
        return np.stack(
            [_expand(one, row, rng) for one, row in zip(self.columns, table.codes, strict=True)]
        )


def compress(counts: Sequence[Floats], scale: float, whole: Collection[int] = ()) -> Compression:
    """Merge the values of each column with small noisy counts; columns in ``whole`` are kept."""
    return Compression(
        tuple(
            _column(one, 0.0 if position in whole else THRESHOLD * scale)
            for position, one in enumerate(counts)
        )
    )


def _column(counts: Floats, least: float) -> _Column:
    small = counts < least if least > 0 else np.zeros(len(counts), dtype=bool)
    if small.sum() < 2:  # noqa: PLR2004  one value alone needs no merging
        small[:] = False
    kept, rare = np.flatnonzero(~small), np.flatnonzero(small)
    places = np.full(len(counts), len(kept), dtype=np.int32)
    places[kept] = np.arange(len(kept), dtype=np.int32)
    weights = np.maximum(counts[rare], 0.0)
    if not weights.any():
        weights = np.ones(len(rare))
    chances = weights / weights.sum() if len(rare) else weights
    return _Column(places, kept.astype(np.int32), rare.astype(np.int32), chances)


def _expand(column: _Column, codes: Ints, rng: np.random.Generator) -> Ints:
    if not len(column.rare):
        return column.kept[codes]
    merged = np.flatnonzero(codes == len(column.kept))
    old = np.append(column.kept, column.rare[0])[codes]
    old[merged] = rng.choice(column.rare, len(merged), p=column.chances)
    return old
