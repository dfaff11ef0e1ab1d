"""Membership inference: whether a release reveals who was in the original data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from microveil.errors import InputError
from microveil.pairs.columns import Column
from microveil.risk.attacks.base import (
    Attacked,
    AttackMeasure,
    attack_columns,
    released_targets,
    targets,
)
from microveil.risk.attacks.neighbours import Side, Space
from microveil.risk.attacks.rates import Rate, Rates
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Longs = NDArray[np.int64]

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
        tables = original, released, control = case.tables
        names = attack_columns(tables, self.columns, attack="Membership")
        if released.height == 0 or original.height == 0:
            nothing = Rate(0, 0.0, self.confidence)
            return Rates(nothing, nothing).score(self.kind())
        columns = case.columns(names)
        if control is None:
            return self._without_control(columns, original, released, rng)
        return self._with_control(columns, (original, released, control), rng)

    def _without_control(
        self, columns: list[Column], original: Table, released: Table, rng: np.random.Generator
    ) -> Score:
        """Whether people lie nearer to the release than to each other."""
        columns = [column for column in columns if not column.labelled]
        if not columns:
            raise InputError(
                "Membership needs a control if all columns of the release are generalised: "
                "measure(original, released, control=…)."
            )
        rows = targets(original.height, self.n_attacks, rng)
        near, _, ties = Space(columns, "original", "released").nearest(rows)
        own, _, own_ties = Space(columns, "original", "original").nearest(rows, rows)
        share = _first_share(near, ties, own, own_ties)
        by_chance = released.height / (released.height + original.height - 1)
        rates = Rates(
            Rate(len(rows), float(share.sum()), self.confidence),
            Rate(len(rows), len(rows) * by_chance, self.confidence),
        )
        everybody = len(rows) == original.height
        return rates.score(
            self.kind(),
            parts={"columns": [column.name for column in columns]},
            records=share if everybody else None,
        )

    def _with_control(
        self,
        columns: list[Column],
        tables: tuple[Table, Table, Table],
        rng: np.random.Generator,
    ) -> Score:
        from microveil.risk.attacks.classifier import separate, separate_by

        original, _, control = tables
        members = targets(original.height, self.n_attacks, rng)
        others = targets(control.height, self.n_attacks, rng)
        features = np.vstack(
            [_described(columns, "original", members), _described(columns, "control", others)]
        )
        member = np.arange(len(features)) < len(members)
        found = separate(features, member, rng, self.confidence)
        plain = separate_by(-features[:, 0], member, rng, self.confidence)
        low, high = found.interval
        value = max(found.advantage, 0.0)
        dcr = self._closer_to_members(columns, tables, rng)
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
        }
        interval = (max(low, 0.0), max(high, 0.0))
        return Score(measure=self.kind(), value=value, interval=interval, parts=parts)

    def _closer_to_members(
        self,
        columns: list[Column],
        tables: tuple[Table, Table, Table],
        rng: np.random.Generator,
    ) -> Rates:
        """Released records whose closest person is a member, ties counted in part."""
        original, _, control = tables
        rows = released_targets(columns, self.n_attacks, rng)
        near, _, ties = Space(columns, "released", "original").nearest(rows)
        other, _, other_ties = Space(columns, "released", "control").nearest(rows)
        share = _first_share(near, ties, other, other_ties)
        by_chance = original.height / (original.height + control.height)
        return Rates(
            Rate(len(rows), float(share.sum()), self.confidence),
            Rate(len(rows), len(rows) * by_chance, self.confidence),
        )


def _first_share(near: Floats, ties: Longs, other: Floats, other_ties: Longs) -> Floats:
    """Share of the first group among the nearest records of two groups."""
    tied = ties / np.maximum(ties + other_ties, 1)
    return np.where(near < other, 1.0, np.where(near > other, 0.0, tied))


def _described(columns: list[Column], side: Side, rows: Longs) -> Floats:
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
