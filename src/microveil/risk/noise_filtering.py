"""Noise filtering: what remains of additive noise once correlations are exploited."""

from __future__ import annotations

from typing import ClassVar, Literal, NamedTuple

import numpy as np
from pydantic import Field

from microveil.arrays import Flags, Floats
from microveil.measures.base import RiskMeasure
from microveil.pairs.known_columns import Pair, numbers_of_pair, paired_reading, reading_of
from microveil.pairs.reading import Reading
from microveil.risk.linkage.compared import number_comparison
from microveil.risk.linkage.linking import chance, grouped_people, nearest_credits, worth
from microveil.risk.linkage.number_links import worst_links
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns

NOTHING = 1e-12
"""Share of the variance below which noise counts as zero."""


class NoiseFiltering(RiskMeasure):
    """Share of records linked after filtering noise out of the release.

    Correlated columns share information, while independent noise does not. The release is
    decomposed into principal components, and those that are mostly noise are dropped. ``pca`` keeps
    the components whose signal exceeds the noise, with the signal's covariance estimated as that of
    the release minus that of the noise (Huang, Du & Chen 2005). ``spectral`` keeps those beyond
    what noise alone could reach (Kargupta et al. 2003). ``bayes`` shrinks every direction by its
    share of signal, the best linear estimate under normality (Huang, Du & Chen 2005).

    ``parts`` has the links and the root mean squared error (in standard deviations of the original)
    before and after filtering, and the share of the noise variance removed, overall and by column
    (negative if filtering does more harm than good). Only complete records count.

    >>> x = np.random.default_rng(1).normal(size=200)
    >>> noise = np.random.default_rng(2).normal(scale=0.3, size=(200, 3))
    >>> frame = {"a": x, "b": x, "c": x}
    >>> released = {name: x + noise[:, j] for j, name in enumerate(frame)}
    >>> 0.5 < NoiseFiltering().measure(frame, released).parts["noise_removed"] < 0.8
    True
    """

    question: ClassVar[str] = "Can records be linked to people?"
    title: ClassVar[str] = "Records linked after filtering noise"
    name: Literal["noise_filtering"] = "noise_filtering"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    needs_original: ClassVar[bool] = True
    needs_alignment: ClassVar[bool] = True
    needs_numbers: ClassVar[bool] = True
    most_cells: ClassVar[int | None] = 5_000_000
    columns: Columns = ()
    """Numeric columns with added noise; by default all that are numeric."""
    method: Literal["pca", "spectral", "bayes"] = "pca"
    """How noise is separated from signal."""
    sd_share: float | None = Field(default=None, gt=0)
    """Standard deviation of the noise over that of the original column, as published. By default
    the true covariance of the noise is used, which is the worst case."""
    worst_columns: bool = True
    """Whether the intruder may leave columns out, as in record linkage: the score is the highest
    that was found."""

    def score(self, original: Table | None, table: Table) -> Score:
        """Filter, then link."""
        return self.score_reading(reading_of(original, table))

    def score_reading(self, reading: Reading) -> Score:
        """Filter, then link, by all columns and by those by which most is found."""
        pair = paired_reading(reading, self.columns)
        numbers = numbers_of_pair(pair, self.columns)
        keep = numbers.present
        sides = _in_units(numbers.columns, numbers.before[keep], numbers.after[keep])
        filtered = self._filter(sides)
        before_it = _linked_share(sides.before, sides.after, pair, keep)
        best = worst_links(pair, numbers, self._change, worst=self.worst_columns)
        spread = sides.spread
        errors = [((points - sides.before) ** 2) for points in (sides.after, filtered.points)]
        before, after = (error.mean(axis=0) if len(error) else spread for error in errors)
        parts = {
            "linked_before": before_it,
            "error_before": _root(before / spread**2),
            "error_after": _root(after / spread**2),
            "noise_removed": _removed_share(before.sum(), after.sum()),
            "columns": {
                name: _removed_share(before[j], after[j]) for j, name in enumerate(sides.columns)
            },
            "n_components": filtered.n_components,
            "chance": chance(pair.owners, pair.people),
            "n_complete": int(keep[pair.alike.of_row].sum()),
            "linked_by": list(best.columns),
        }
        records = best.found[pair.alike.of_row]
        return Score(measure=self.kind(), value=best.value, parts=parts, records=records)

    def _change(self, before: Floats, after: Floats) -> tuple[Floats, Floats]:
        """The original in units of the release, and the release without its noise."""
        sides = _in_units(tuple(map(str, range(before.shape[1]))), before, after)
        return sides.before, self._filter(sides).points

    def _filter(self, sides: _Sides) -> _Filtered:
        n, m = sides.after.shape
        if not n or not m:
            return _Filtered(sides.after, m)
        mean = sides.after.mean(axis=0)
        centred = sides.after - mean
        whole = centred.T @ centred / n
        noise = self._noise(sides, whole)
        if self.method == "bayes":
            signal = _semidefinite(whole - noise)
            return _Filtered(mean + centred @ np.linalg.pinv(whole, hermitian=True) @ signal, m)
        if self.method == "spectral":
            powers, axes = np.linalg.eigh(whole)
            # The largest eigenvalue that noise alone would reach (Marchenko & Pastur 1967).
            kept = powers > np.trace(noise) / m * (1 + np.sqrt(m / n)) ** 2
        else:
            powers, axes = np.linalg.eigh(whole - noise)
            kept = powers > np.einsum("ji,jk,ki->i", axes, noise, axes)
        kept |= np.full(m, np.trace(noise) <= NOTHING * np.trace(whole))
        span = axes[:, kept]
        return _Filtered(mean + centred @ span @ span.T, int(kept.sum()))

    def _noise(self, sides: _Sides, whole: Floats) -> Floats:
        if self.sd_share is not None:
            power = self.sd_share**2
            return np.diag(np.diag(whole) * power / (1 + power))
        added = sides.after - sides.before
        added = added - added.mean(axis=0)
        return np.asarray(added.T @ added / len(added))


class _Sides(NamedTuple):
    """Columns that vary, in standard deviations of the release."""

    columns: list[str]
    before: Floats
    after: Floats

    @property
    def spread(self) -> Floats:
        """Standard deviation of the original in the same unit."""
        return np.asarray(self.before.std(axis=0)) if len(self.before) else np.zeros(0)


class _Filtered(NamedTuple):
    points: Floats
    n_components: int


def _in_units(columns: tuple[str, ...], before: Floats, after: Floats) -> _Sides:
    if not len(before):
        empty = np.zeros((0, 0))
        return _Sides([], empty, empty)
    middle, unit = after.mean(axis=0), after.std(axis=0)
    varying = (before.std(axis=0) > 0) & (unit > 0)
    middle, unit = middle[varying], unit[varying]
    before, after = ((side[:, varying] - middle) / unit for side in (before, after))
    names = [name for name, moves in zip(columns, varying, strict=True) if moves]
    return _Sides(names, before, after)


def _linked_share(before: Floats, after: Floats, pair: Pair, keep: Flags) -> float:
    """Share that is linked to the release as it is."""
    people = None if pair.people is None else pair.people[keep]
    found = np.zeros(pair.n_records)
    found[keep] = nearest_credits(
        number_comparison(before, after), pair.owners[keep], None, grouped_people(after, people)
    )
    return worth(found, pair.people)


def _semidefinite(matrix: Floats) -> Floats:
    powers, axes = np.linalg.eigh(matrix)
    return np.asarray((axes * np.maximum(powers, 0)) @ axes.T)


def _root(squares: Floats) -> float:
    return float(np.sqrt(squares.mean())) if len(squares) else 0.0


def _removed_share(before: float, after: float) -> float:
    """Share of the squared error that was removed; 0 if there was none."""
    return float(1 - after / before) if before > 0 else 0.0
