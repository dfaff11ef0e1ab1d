"""Membership classifier: distinguish members from others by numeric features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from microveil.risk.attacks.rates import Rate
from microveil.statistics.intervals import Interval, area_interval, difference_interval
from microveil.statistics.logistic import logistic_regression

if TYPE_CHECKING:
    from microveil.arrays import Flags, Floats, Longs

RIDGE = 1e-3
FARTHEST = 30.0
"""Standard deviations from the mean at which a feature is clipped."""


@dataclass(frozen=True)
class Separation:
    """How well scores separate members from others."""

    members: Rate
    """Members classified as members."""
    others: Rate
    """Others classified as members."""
    auc: float
    auc_interval: Interval

    @property
    def advantage(self) -> float:
        """True positive rate minus false positive rate: 0 for a guess, 1 for certainty."""
        return self.members.share - self.others.share

    @property
    def interval(self) -> Interval:
        """Interval of the advantage from Wilson's intervals for both rates (Newcombe 1998)."""
        members, others = self.members, self.others
        return difference_interval(members.share, members.interval, others.share, others.interval)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for the parts of a score."""
        return {
            "auc": self.auc,
            "auc_interval": list(self.auc_interval),
            "advantage": self.advantage,
            "interval": list(self.interval),
        }


@dataclass(frozen=True, eq=False)
class Fit:
    """A classifier fitted on one half."""

    scores: Floats
    """Of everybody."""
    threshold: float
    """From which on somebody is called a member."""
    gain: float
    """Its advantage on the half it was fitted on."""


def deal(member: Flags, rng: np.random.Generator) -> Longs:
    """The half, 0 or 1, that each of the members and each of the others falls into."""
    fold = np.zeros(len(member), dtype=np.int64)
    for group in (np.flatnonzero(member), np.flatnonzero(~member)):
        fold[group] = rng.permutation(len(group)) % 2
    return fold


def fit_halves(features: Floats, member: Flags, fold: Longs) -> tuple[Fit, Fit]:
    """The classifiers for either half, each fitted on the other."""
    first, second = (_fit(features, member, fold != held_out) for held_out in (0, 1))
    return first, second


def _fit(features: Floats, member: Flags, train: Flags) -> Fit:
    scores = _fitted_scores(features, member, train)
    threshold = best_threshold(scores[train], member[train])
    called = scores >= threshold
    sides = (called[train & member], called[train & ~member])
    rates = [float(one.mean()) if len(one) else 0.0 for one in sides]
    return Fit(scores, threshold, rates[0] - rates[1])


def separate_by_halves(
    fits: tuple[Fit, Fit], member: Flags, fold: Longs, level: float
) -> Separation:
    """Classify either half by its classifier; nobody is in their own training set."""
    called = np.zeros(len(member), dtype=np.bool_)
    areas, sizes = [], []
    for held_out, fit in enumerate(fits):
        test = fold == held_out
        called[test] = fit.scores[test] >= fit.threshold
        areas.append(area_under_curve(fit.scores[test], member[test]))
        sizes.append(int(test.sum()))
    auc = float(np.average(areas, weights=sizes))
    return _separation(called, member, auc, level)


def separate(features: Floats, member: Flags, rng: np.random.Generator, level: float) -> Separation:
    """Fit on one half and classify the other, and vice versa; nobody is in their own training set.

    Features are standardised; the classifier is a logistic regression with a light ridge penalty.
    Its threshold is the one that best separates the half it was fitted on.
    """
    fold = deal(member, rng)
    return separate_by_halves(fit_halves(features, member, fold), member, fold, level)


def separate_by(
    scores: Floats, member: Flags, rng: np.random.Generator, level: float
) -> Separation:
    """Use one score as it is; the threshold from one half classifies the other."""
    fold = deal(member, rng)
    called = np.zeros(len(member), dtype=np.bool_)
    for held_out in (0, 1):
        train, test = fold != held_out, fold == held_out
        called[test] = scores[test] >= best_threshold(scores[train], member[train])
    return _separation(called, member, area_under_curve(scores, member), level)


def _separation(called: Flags, member: Flags, auc: float, level: float) -> Separation:
    n_members, n_others = int(member.sum()), int((~member).sum())
    return Separation(
        Rate(n_members, float(called[member].sum()), level),
        Rate(n_others, float(called[~member].sum()), level),
        auc,
        area_interval(auc, n_members, n_others, level),
    )


def _fitted_scores(features: Floats, member: Flags, train: Flags) -> Floats:
    """Score everybody by a logistic regression on the training half, groups weighted equally."""
    if not 0 < member[train].sum() < train.sum():
        return np.zeros(len(member))
    centre, spread = features[train].mean(axis=0), features[train].std(axis=0)
    scaled = np.clip((features - centre) / np.where(spread > 0, spread, 1.0), -FARTHEST, FARTHEST)
    y = member[train].astype(np.float64)
    share = y.mean()
    weights = np.where(y > 0, 0.5 / share, 0.5 / (1 - share))
    return logistic_regression(scaled[train], y, weights=weights, ridge=RIDGE).scores(scaled)


def best_threshold(scores: Floats, member: Flags) -> float:
    """Threshold that separates best when scores from it upwards count as members; highest if tied.

    >>> best_threshold(np.array([1.0, 2.0, 3.0]), np.array([False, True, True]))
    2.0
    """
    levels = np.unique(scores)[::-1]
    if not len(levels):
        return np.inf
    hits = np.searchsorted(np.sort(-scores[member]), -levels, side="right") / max(member.sum(), 1)
    false = np.searchsorted(np.sort(-scores[~member]), -levels, side="right")
    gains = hits - false / max((~member).sum(), 1)
    return float(levels[int(np.argmax(gains))])


def area_under_curve(scores: Floats, member: Flags) -> float:
    """Probability that a member scores above a non-member, ties counted half (Mann–Whitney).

    >>> area_under_curve(np.array([1.0, 2.0, 2.0]), np.array([False, True, False]))
    0.75
    """
    n_members, n_others = int(member.sum()), int((~member).sum())
    if n_members == 0 or n_others == 0:
        return 0.5
    ranks = pl.Series(scores).rank("average").to_numpy()
    return float((ranks[member].sum() - n_members * (n_members + 1) / 2) / (n_members * n_others))
