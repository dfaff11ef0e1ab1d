"""The original values that a released label stands for, and how likely each of them is.

A release may show ``[30, 40)``, ``80***``, ``{nurse, doctor}`` or ``*`` where the original has a
value. An intruder reads such a label as the values it stands for, all equally likely, and so do the
attacks. :mod:`microveil.labels.reading` finds out which values those are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Flags, Floats, Longs
from microveil.kernels.run_distances import sum_distances
from microveil.labels.notation import read_spans


class Cover(NamedTuple):
    """Runs of values that each label stands for; values and labels are sorted."""

    n_values: int
    label: Longs
    low: Longs
    high: Longs
    """End of each run, exclusive."""

    def runs(self, label: int) -> slice:
        """The runs of a label."""
        return slice(*np.searchsorted(self.label, [label, label + 1]))

    def members(self, label: int) -> Longs:
        """The values of a label."""
        runs = self.runs(label)
        pairs = zip(self.low[runs], self.high[runs], strict=True)
        return np.concatenate([np.zeros(0, np.int64), *(np.arange(*pair) for pair in pairs)])

    def contains(self, label: int) -> Flags:
        """Which of the values a label stands for."""
        flags = np.zeros(self.n_values, dtype=np.bool_)
        flags[self.members(label)] = True
        return flags


class _Pieces(NamedTuple):
    """Ranges of numbers that labels stand for; the ranges of a set are equally likely."""

    label: Longs
    low: Floats
    high: Floats
    weight: Floats


@dataclass(frozen=True, eq=False)
class NumberLabels:
    """Labels on numbers: each stands for original numbers, all equally likely.

    A label that stands for none of them, such as a range in which nobody was, stands for the
    numbers that it describes.
    """

    values: Floats
    """The distinct original numbers, ascending."""
    cover: Cover
    n_labels: int
    pieces: _Pieces
    """Ranges of the labels that cover no original number."""
    whole: bool
    """Whether the column holds whole numbers, so that ``[20, 25)`` means 20 to 24."""

    @classmethod
    def of(cls, texts: pl.Series, values: pl.Series, cover: Cover) -> NumberLabels:
        """The numbers of each label: those it stands for, otherwise those it describes."""
        numbers = values.cast(pl.Float64).to_numpy()
        whole = values.dtype.is_integer()
        empty = np.setdiff1d(np.arange(len(texts)), cover.label)
        found = [
            (number, *piece)
            for number in empty
            for piece in _pieces(texts[int(number)], numbers, whole=whole)
        ]
        table = np.array(found, dtype=np.float64).reshape(-1, 4)
        pieces = _Pieces(table[:, 0].astype(np.int64), *table[:, 1:].T)
        return cls(numbers, cover, len(texts), pieces, whole)

    def contains(self, label: int) -> Flags:
        """Whether a label stands for each of the values."""
        return self.cover.contains(label)

    def only(self, labels: Longs) -> NumberLabels:
        """Some of the labels, ascending, with the same distances as among all of them."""
        runs, described = np.isin(self.cover.label, labels), np.isin(self.pieces.label, labels)
        cover = Cover(
            self.cover.n_values,
            np.searchsorted(labels, self.cover.label[runs]),
            self.cover.low[runs],
            self.cover.high[runs],
        )
        pieces = _Pieces(
            np.searchsorted(labels, self.pieces.label[described]),
            self.pieces.low[described],
            self.pieces.high[described],
            self.pieces.weight[described],
        )
        found = NumberLabels(self.values, cover, len(labels), pieces, self.whole)
        found.__dict__["_width"] = self._width  # the range of all labels is the unit of distance
        return found

    @cached_property
    def readable(self) -> Flags:
        """Labels that are informative."""
        flags = np.zeros(self.n_labels, dtype=np.bool_)
        flags[self.pieces.label] = True
        flags[self.cover.label] = True
        return flags

    @cached_property
    def _width(self) -> tuple[float, float]:
        every = np.concatenate([self.values, self.pieces.low, self.pieces.high])
        every = every[np.isfinite(every)]
        return (float(every.min()), float(every.max())) if len(every) else (0.0, 0.0)

    def width(self) -> tuple[float, float]:
        """Smallest and largest number among values and range ends."""
        return self._width

    @cached_property
    def _sizes(self) -> Floats:
        """Number of values of the label of each run."""
        lengths = (self.cover.high - self.cover.low).astype(np.float64)
        sizes = np.bincount(self.cover.label, lengths, minlength=self.n_labels)
        return np.asarray(sizes[self.cover.label], dtype=np.float64)

    def distances(self, chosen: Longs) -> Floats:
        """Mean distance from each chosen value to each label's numbers, as a share of the range."""
        least, most = self._width
        x, low, high = self._within(chosen)
        inside = (x > low) & (x < high)
        if self.whole:
            below, above = x - low, high - x
            mean = (below * (below + 1) + above * (above + 1)) / (2 * (high - low + 1))
        else:
            length = np.where(high > low, high - low, 1.0)
            mean = ((x - low) ** 2 + (high - x) ** 2) / (2 * length)
        described = np.where(inside, mean, np.abs(x - (low + high) / 2))
        unit = (most - least) or 1.0
        return self._by_label(self._to_values(chosen, unit), described / unit, otherwise=1.0)

    def _to_values(self, chosen: Longs, unit: float) -> Floats:
        """Sum of the distances from each chosen value to the values of each run, over the label."""
        values = np.clip(self.values, *self._width)
        # Centred, so that the sums of large numbers (dates) keep their digits.
        values = values - (values.mean() if len(values) else 0.0)
        found = sum_distances(values, chosen, self.cover.low, self.cover.high)
        found /= self._sizes  # in place: these are the largest tables of an attack
        found /= unit
        return found

    def chances(self, chosen: Longs, tolerance: float) -> Floats:
        """Probability that a number drawn from a label is within tolerance of each chosen value."""
        x, low, high = self._within(chosen)
        slack = tolerance * np.abs(x)
        first, last = np.maximum(low, x - slack), np.minimum(high, x + slack)
        if self.whole:
            n_right = np.floor(last + ROUNDING) - np.ceil(first - ROUNDING) + 1
            found = np.clip(n_right / (high - low + 1), 0.0, 1.0)
        else:
            length = np.where(high > low, high - low, 1.0)
            spread = np.clip((last - first) / length, 0.0, 1.0)
            found = np.where(high > low, spread, (np.abs(x - low) <= slack).astype(np.float64))
        near = np.clip(self.values[chosen], *self._width)
        reach = tolerance * np.abs(near) + ROUNDING * np.maximum(np.abs(near), 1.0)
        start = np.searchsorted(self.values, near - reach, side="left")[:, None]
        stop = np.searchsorted(self.values, near + reach, side="right")[:, None]
        n_near = np.minimum(stop, self.cover.high)
        n_near -= np.maximum(start, self.cover.low)
        np.maximum(n_near, 0, out=n_near)
        return self._by_label(n_near / self._sizes, found, otherwise=0.0)

    def _within(self, chosen: Longs) -> tuple[Floats, Floats, Floats]:
        """Chosen values, and ends of the ranges; infinite ones become the outermost finite one."""
        least, most = self._width
        x = np.clip(self.values[chosen], least, most)[:, None]
        return x, np.clip(self.pieces.low, least, most), np.clip(self.pieces.high, least, most)

    def _by_label(self, by_run: Floats, described: Floats, *, otherwise: float) -> Floats:
        """Sums over the runs of each label, or means over the pieces of one that has none."""
        # Runs are sorted by label, so those of one label are neighbours.
        starts = np.flatnonzero(np.diff(self.cover.label, prepend=-1))
        once = len(starts) == by_run.shape[1]
        if once and len(starts) == self.n_labels:
            return by_run
        table = np.zeros((len(by_run), self.n_labels))
        if len(starts):
            sums = by_run if once else np.add.reduceat(by_run, starts, axis=1)
            table[:, self.cover.label[starts]] = sums
        for piece, label in enumerate(self.pieces.label):
            table[:, label] += self.pieces.weight[piece] * described[:, piece]
        table[:, ~self.readable] = otherwise
        return table


ROUNDING = 1e-9


def _pieces(text: str, values: Floats, *, whole: bool) -> list[tuple[float, float, float]]:
    """Ends and weights of the ranges that a label describes."""
    spans = [span.whole() if whole else span for span in read_spans(text)]
    ends = [_ends(span.low, span.high, values) for span in spans]
    ends = [(low, high) for low, high in ends if low <= high]
    return [(low, high, 1 / len(ends)) for low, high in ends]


def _ends(low: float, high: float, values: Floats) -> tuple[float, float]:
    """Open ends extend to the values that occur; a limit beyond all of them stands for itself."""
    finite = values[np.isfinite(values)]
    least, most = (finite[0], finite[-1]) if len(finite) else (0.0, 0.0)
    if np.isneginf(low):
        low = float(min(least, high))
    if np.isposinf(high):
        high = float(max(most, low))
    return low, high


@dataclass(frozen=True, eq=False)
class TextLabels:
    """Labels on categories and dates: each stands for some values, all equally likely."""

    n_values: int
    covers: tuple[Longs, ...]
    """Codes of the values each label stands for."""

    @classmethod
    def of(cls, n_labels: int, cover: Cover) -> TextLabels:
        """The values of each label."""
        return cls(cover.n_values, tuple(cover.members(label) for label in range(n_labels)))

    def only(self, labels: Longs) -> TextLabels:
        """Some of the labels."""
        return TextLabels(self.n_values, tuple(self.covers[label] for label in labels))

    def contains(self, label: int) -> Flags:
        """Whether a label stands for each of the values."""
        flags = np.zeros(self.n_values, dtype=np.bool_)
        flags[self.covers[label]] = True
        return flags

    def distances(self, chosen: Longs) -> Floats:
        """Probability that a value drawn from each label differs from each chosen value."""
        return 1.0 - self.chances(chosen, 0.0)

    def chances(self, chosen: Longs, tolerance: float) -> Floats:  # noqa: ARG002  values match or not
        """Probability that a value drawn from each label equals each chosen value."""
        place = np.full(self.n_values, -1, dtype=np.int64)
        place[chosen] = np.arange(len(chosen))
        table = np.zeros((len(chosen), len(self.covers)))
        for number, cover in enumerate(self.covers):
            rows = place[cover]
            table[rows[rows >= 0], number] = 1.0 / max(len(cover), 1)
        return table


Labels = NumberLabels | TextLabels
