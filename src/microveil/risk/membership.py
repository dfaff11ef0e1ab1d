"""Membership inference: whether a release reveals who was in the original data."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.risk.attacks.base import Attacked, AttackMeasure, attack_columns
from microveil.risk.attacks.neighbours import SIDES, Side, Space
from microveil.risk.attacks.people import Scene, released_targets
from microveil.risk.attacks.rates import Rate, Rates
from microveil.risk.attacks.subsets import whole_sets, worst_by_columns
from microveil.scores import Score
from microveil.tables.roles import Columns
from microveil.texts import phrase

if TYPE_CHECKING:
    from microveil.arrays import Floats, Longs
    from microveil.risk.attacks.classifier import Separation

PEOPLE: tuple[Side, ...] = ("original", "control")


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
        if control is not None:
            return self._with_control(scene, coarse, rng)
        n_pairs = min(scene.height("original"), self.n_attacks) * sum(
            scene.height(side) for side in SIDES
        )
        return worst_by_columns(
            list(scene.columns),
            coarse,
            n_pairs,
            lambda columns: self._without_control(scene.only(columns), deepcopy(rng)),
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

    def _with_control(self, scene: Scene, coarse: list[str], rng: np.random.Generator) -> Score:
        """How well a classifier tells members from others, by all columns or by those it chose."""
        from microveil.risk.attacks.control_attack import ControlAttack

        members, others = (
            scene.in_order(side, scene.targets(side, self.n_attacks, rng)) for side in PEOPLE
        )
        every = tuple(scene.columns)
        sets = whole_sets(every, coarse)
        # The highest of several numbers is reported, so each has Bonferroni's wider interval.
        level = 1 - (1 - self.confidence) / (len(sets) + 1)
        attack = ControlAttack(scene, members, others, rng, level)
        n_pairs = (len(members) + len(others)) * (scene.height("released") + len(others))
        chosen = attack.choose(every, coarse, n_pairs)
        beside = {
            "distance": attack.by_distance(every).to_dict(),
            "dcr": self._closer_to_members(scene, rng).to_dict(),
        }
        scores = [self._score(attack.by(one), list(one), beside) for one in sets]
        used = [name for name in every if any(name in one for one in chosen)]
        halves = beside | {"columns_by_half": [list(one) for one in chosen]}
        by_choice = self._score(attack.by_choice(chosen), used, halves)
        worst = max([*scores, by_choice], key=lambda one: one.value)
        return replace(worst, parts={**worst.parts, "by_all_columns": scores[0].value})

    def _score(self, found: Separation, columns: list[str], beside: dict[str, Any]) -> Score:
        """The advantage of an attack by some columns."""
        low, high = found.interval
        value = max(found.advantage, 0.0)
        interval = (max(low, 0.0), max(high, 0.0))
        parts: dict[str, Any] = {
            "risk": value,
            "interval": list(interval),
            "against": "control",
            "attack": found.members.to_dict(),
            "control": found.others.to_dict(),
            "n_attacks": found.members.n_attacks,
            **{key: part for key, part in found.to_dict().items() if key != "interval"},
            **beside,
            "columns": columns,
        }
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
