"""Members told apart from the people of a control by their places beside the released records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from microveil.risk.attacks.classifier import (
    Fit,
    Separation,
    deal,
    fit_halves,
    separate_by,
    separate_by_halves,
)
from microveil.risk.attacks.neighbours import Side, Space
from microveil.risk.attacks.subsets import Names, try_sets

if TYPE_CHECKING:
    from microveil.arrays import Flags, Floats, Longs
    from microveil.pairs.columns import Column
    from microveil.risk.attacks.people import Scene

NEARLY = 1e-6
"""Added to distances before their ratio is taken."""


@dataclass(eq=False)
class ControlAttack:
    """Members and others of a scene, described by any of its columns, in two halves.

    Which columns to use is learnt like the classifier: on one half, for the other. The highest of
    many numbers would say little, as each is the difference of two small samples.
    """

    scene: Scene
    members: Longs
    others: Longs
    rng: np.random.Generator
    level: float
    _fits: dict[Names, tuple[Fit, Fit]] = field(default_factory=dict, repr=False)
    _near: dict[Names, Floats] = field(default_factory=dict, repr=False)

    @cached_property
    def member(self) -> Flags:
        """Who of members and others is a member."""
        return np.arange(len(self.members) + len(self.others)) < len(self.members)

    @cached_property
    def fold(self) -> Longs:
        """The half that each falls into."""
        return deal(self.member, self.rng)

    def features(self, names: Names) -> Floats:
        """Everybody's place beside the released records, by some columns."""
        columns = [self.scene.columns[name] for name in names]
        found = np.vstack(
            [_places(columns, "original", self.members), _places(columns, "control", self.others)]
        )
        self._near[names] = found[:, 0]
        return found

    def fits(self, names: Names) -> tuple[Fit, Fit]:
        """The classifiers by some columns."""
        if names not in self._fits:
            self._fits[names] = fit_halves(self.features(names), self.member, self.fold)
        return self._fits[names]

    def by(self, names: Names) -> Separation:
        """How well members are told apart by some columns."""
        return separate_by_halves(self.fits(names), self.member, self.fold, self.level)

    def by_distance(self, names: Names) -> Separation:
        """The same by the distance to the closest released record alone."""
        near = self._near[names] if names in self._near else self.features(names)[:, 0]
        return separate_by(-near, self.member, self.rng, self.level)

    def choose(self, names: Names, labelled: Sequence[str], n_pairs: int) -> tuple[Names, Names]:
        """For either half the columns that tell members apart best in the other half."""
        return (
            _best(try_sets(names, labelled, n_pairs, lambda one: self.gains(one)[0], inward=True)),
            _best(try_sets(names, labelled, n_pairs, lambda one: self.gains(one)[1], inward=True)),
        )

    def gains(self, names: Names) -> tuple[float, float]:
        """For either half, the advantage by some columns in the other half."""
        first, second = self.fits(names)
        return first.gain, second.gain

    def by_choice(self, chosen: tuple[Names, Names]) -> Separation:
        """How well members are told apart by the columns chosen for either half."""
        fits = (self.fits(chosen[0])[0], self.fits(chosen[1])[1])
        return separate_by_halves(fits, self.member, self.fold, self.level)


def _best(tried: dict[Names, float]) -> Names:
    """The set that is strongest; of equal ones the first tried, which has most columns."""
    return max(tried, key=lambda names: tried[names])


def _places(columns: Sequence[Column], side: Side, rows: Longs) -> Floats:
    """Position of people relative to the release and the control: the classifier's features."""
    near, second, ties = Space(columns, side, "released").nearest(rows)
    itself = rows if side == "control" else None
    yardstick, _, _ = Space(columns, side, "control").nearest(rows, itself)
    far = float(len(columns))
    near, second, yardstick = (np.minimum(one, far) for one in (near, second, yardstick))
    return np.column_stack(
        [
            near,
            second,
            np.log((near + NEARLY) / (second + NEARLY)),
            np.log((near + NEARLY) / (yardstick + NEARLY)),
            np.log1p(ties),
            near == 0,
        ]
    ).astype(np.float64)
