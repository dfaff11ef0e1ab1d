"""Membership inference: whether a release reveals who was in the original data."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.pairs.columns import Column
from microveil.risk.attacks.base import Attacked, AttackMeasure, attack_columns
from microveil.risk.attacks.neighbours import SIDES, Side, Space
from microveil.risk.attacks.people import Scene, released_targets
from microveil.risk.attacks.rates import Rate, Rates
from microveil.risk.attacks.subsets import MOST_CELLS, worst_by_columns
from microveil.scores import Score
from microveil.tables.roles import Columns
from microveil.texts import phrase

if TYPE_CHECKING:
    from microveil.arrays import Floats, Longs

PEOPLE: tuple[Side, ...] = ("original", "control")
NEARLY = 1e-6
"""Added to distances before their ratio is taken."""


class Membership(AttackMeasure):
    """How much better than a guess an intruder can tell who was in the original.

    With a control, members and control records are described by their position relative to the
    released records and, for reference, to other control records: distances to the nearest and
    second nearest record, the ratios of these distances, and the number of equally near records. A
    classifier is trained on one half and applied to the other. The value is its advantage, the true
    positive rate minus the false positive rate (Yeom et al. 2018; the ratio to a reference follows
    van Breugel et al. 2023). ``parts`` has the area under its curve, the same for the distance to
    the closest record alone (``distance``), and ``dcr``: the share of released records that lie
    closer to a member than to a control record, beside the share of members in both groups, which
    is what a release without memorisation shows (Platzer & Reutterer 2021).

    Without a control: the share of people whose nearest record is a released one rather than
    another person's, beside the share expected by chance.

    Time grows with attacks × (records of all tables) × columns.
    """

    question: ClassVar[str] = "Can somebody be singled out?"
    title: ClassVar[str] = "Membership attack"
    headline: ClassVar[bool] = True
    name: Literal["membership"] = "membership"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    by_default: ClassVar[bool] = False  # of little value without a control
    with_control: ClassVar[bool] = True
    columns: Columns = ()
    """Columns to compare people by; by default all that both tables have."""

    def attack(self, case: Attacked, rng: np.random.Generator) -> Score:
        """Describe members and others by distances, and try to tell them apart."""
        original, released, control = case.tables
        names = attack_columns(case.tables, self.columns, attack=phrase("Membership"))
        if released.height == 0 or original.height == 0:
            nothing = Rate(0, 0.0, self.confidence)
            return Rates(nothing, nothing).score(self.kind())
        scene = case.scene(names)
        coarse = scene.labelled_columns()
        if control is None and len(coarse) == len(names):
            raise InputError(
                "Membership needs a control if all columns of the release are generalised: "
                "measure(original, released, control=…)."
            )
        if control is None:
            scene, coarse = scene.only([name for name in names if name not in coarse]), []
        heights = [scene.height(side) for side in SIDES]
        n_targets = min(heights[0], self.n_attacks)
        # Beside a control the advantage is a difference of two small samples: of many such numbers
        # the highest says little, so columns are then not left out one by one.
        n_pairs = n_targets * sum(heights) if control is None else MOST_CELLS
        way = self._without_control if control is None else self._with_control
        return worst_by_columns(
            list(scene.columns),
            coarse,
            n_pairs,
            lambda columns: way(scene.only(columns), deepcopy(rng)),
            self.confidence,
        )

    def _without_control(self, scene: Scene, rng: np.random.Generator) -> Score:
        """Whether people lie nearer to the release than to each other."""
        columns = list(scene.columns.values())
        rows = scene.targets("original", self.n_attacks, rng)
        near, _, ties = Space(columns, "original", "released").nearest(rows)
        person = scene.person("original")
        _, first = np.unique(person, return_index=True)
        # Everybody else by one row each, so that nobody is compared with their own other rows.
        others = [replace(one, control=one.original.gather(pl.Series(first))) for one in columns]
        own, _, own_ties = Space(others, "original", "control").nearest(rows, person[rows])
        share = _first_share(near, ties, own, own_ties)
        n_released, n_people = scene.height("released"), scene.n_people("original")
        by_chance = n_released / (n_released + n_people - 1)
        shares = scene.by_person("original", share, rows)
        rates = Rates(
            Rate(len(shares), float(shares.sum()), self.confidence),
            Rate(len(shares), len(shares) * by_chance, self.confidence),
        )
        return rates.score(
            self.kind(), parts={"columns": list(scene.columns)}, records=scene.of_records(share)
        )

    def _with_control(self, scene: Scene, rng: np.random.Generator) -> Score:
        from microveil.risk.attacks.classifier import separate, separate_by

        columns = list(scene.columns.values())
        members, others = (
            scene.in_order(side, scene.targets(side, self.n_attacks, rng)) for side in PEOPLE
        )
        features = np.vstack(
            [_features(columns, "original", members), _features(columns, "control", others)]
        )
        member = np.arange(len(features)) < len(members)
        found = separate(features, member, rng, self.confidence)
        plain = separate_by(-features[:, 0], member, rng, self.confidence)
        low, high = found.interval
        value = max(found.advantage, 0.0)
        dcr = self._closer_to_members(scene, rng)
        parts: dict[str, Any] = {
            "risk": value,
            "interval": [max(low, 0.0), max(high, 0.0)],
            "against": "control",
            "attack": found.members.to_dict(),
            "control": found.others.to_dict(),
            "n_attacks": len(members),
            **{key: part for key, part in found.to_dict().items() if key != "interval"},
            "distance": plain.to_dict(),
            "dcr": dcr.to_dict(),
            "columns": list(scene.columns),
        }
        interval = (max(low, 0.0), max(high, 0.0))
        return Score(measure=self.kind(), value=value, interval=interval, parts=parts)

    def _closer_to_members(self, scene: Scene, rng: np.random.Generator) -> Rates:
        """Released records whose closest person is a member, ties counted in part."""
        columns = list(scene.columns.values())
        rows = released_targets(scene, self.n_attacks, rng)
        near, _, ties = Space(columns, "released", "original").nearest(rows)
        other, _, other_ties = Space(columns, "released", "control").nearest(rows)
        share = _first_share(near, ties, other, other_ties)
        n_members, n_others = scene.height("original"), scene.height("control")
        by_chance = n_members / (n_members + n_others)
        return Rates(
            Rate(len(rows), float(share.sum()), self.confidence),
            Rate(len(rows), len(rows) * by_chance, self.confidence),
        )


def _first_share(near: Floats, ties: Longs, other: Floats, other_ties: Longs) -> Floats:
    """Share of the first group among the nearest records of two groups."""
    tied = ties / np.maximum(ties + other_ties, 1)
    return np.where(near < other, 1.0, np.where(near > other, 0.0, tied))


def _features(columns: list[Column], side: Side, rows: Longs) -> Floats:
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
