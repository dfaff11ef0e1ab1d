"""Inference attack: whether a release reveals a person's secret values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.errors import InputError
from microveil.pairs.columns import Column
from microveil.risk.attacks.base import Attacked, AttackMeasure, attack_columns
from microveil.risk.attacks.neighbours import SIDES, Side, Space
from microveil.risk.attacks.rates import Rate, Rates
from microveil.risk.attacks.subsets import worst_by_columns
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.kinds import numbers_of
from microveil.tables.roles import Columns
from microveil.texts import phrase

if TYPE_CHECKING:
    from microveil.arrays import Floats, Longs
    from microveil.kernels.neighbours.gower_neighbours import Chances
    from microveil.risk.attacks.people import Scene

TABLE_CELLS = 50_000_000
PEOPLE: tuple[Side, ...] = ("original", "control")


class Inference(AttackMeasure):
    """Share of people whose secret value the release reveals, in excess of the control.

    The intruder knows some columns of a person, finds the nearest released record by them (Gower's
    distance) and guesses that record's secret. A guessed number is right within a tolerance, any
    other value if it is equal. Each of t nearest records counts 1/t, and a label counts the
    probability that a value drawn from it is right. The baseline guesses the secret of a random
    released record. The control is the same attack on people who were not used for the release;
    subtracting it removes what statistical knowledge reveals about anybody. With several secrets
    the value is the highest risk, and ``parts["secrets"]`` has each; ``records`` has each person's
    probability when all are attacked (Giomi et al. 2023).

    Time grows with secrets × attacks × released records × columns.

    >>> people = {"age": [20, 30, 40, 50], "pay": [1.0, 2.0, 3.0, 4.0]}
    >>> Inference(secret="pay").measure(people, people).parts["attack"]["rate"]
    1.0
    """

    question: ClassVar[str] = "Can something be inferred about somebody?"
    title: ClassVar[str] = "Inference attack"
    headline: ClassVar[bool] = True
    name: Literal["inference"] = "inference"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "known"
    secret: Columns = ()
    """Columns the intruder guesses; by default the sensitive columns, otherwise each in turn."""
    known: Columns = ()
    """Columns the intruder knows; by default the quasi-identifiers, otherwise all others."""
    tolerance: float = Field(default=0.05, ge=0)
    """Largest error of a correct guess of a number, as a share of the number."""

    def attack(self, case: Attacked, rng: np.random.Generator) -> Score:
        """Guess each secret of the sampled people, by what reveals most."""
        pairs = self._pairs(case.original, case.tables)
        names = list(dict.fromkeys(name for secret, known in pairs for name in (secret, *known)))
        scene = case.scene(names)
        found = {secret: self._worst(scene, secret, known, rng) for secret, known in pairs}
        worst = max(found, key=lambda secret: found[secret].value)
        parts: dict[str, Any] = {
            **found[worst].parts,
            "secret": worst,
            "known": {secret: one.parts["known"] for secret, one in found.items()},
            "secrets": {
                secret: {key: part for key, part in one.parts.items() if key != "known"}
                for secret, one in found.items()
            },
        }
        records = found[worst].records if len(found) == 1 else None
        return replace(found[worst], parts=parts, records=records)

    def _worst(
        self, scene: Scene, secret: str, known: tuple[str, ...], rng: np.random.Generator
    ) -> Score:
        """The guess by the known columns that reveal most; others may be ignored."""
        n_targets = min(scene.n_people("original"), self.n_attacks)
        coarse = [name for name in scene.labelled_columns() if name in known]
        rows = tuple(scene.targets(side, self.n_attacks, rng) for side in PEOPLE)
        return worst_by_columns(
            known,
            coarse,
            n_targets * scene.height("released"),
            lambda columns: self._guess(scene, secret, columns, rows),
            self.confidence,
        )

    def _pairs(
        self, original: Table, tables: tuple[Table | None, ...]
    ) -> list[tuple[str, tuple[str, ...]]]:
        """Each secret with the columns known besides it."""
        chosen = [*self.secret, *self.known]
        if chosen:
            attack_columns(tables, chosen, attack=phrase("Inference"))
        if self.secret and self.known:
            common = chosen
        else:
            common = attack_columns(tables, attack=phrase("Inference"))
        roles = original.roles
        secrets = self.secret or tuple(c for c in common if c in roles.sensitive) or tuple(common)
        keys = self.known or tuple(c for c in common if c in roles.quasi_identifiers)
        pairs = []
        for secret in secrets:
            known = tuple(name for name in keys if name != secret)
            known = known or tuple(name for name in common if name != secret)
            if not known:
                raise InputError(
                    "Inference of '{secret}' needs at least one other column that is known. "
                    "Name it in `known`.",
                    secret=secret,
                )
            pairs.append((secret, known))
        return pairs

    def _guess(
        self, scene: Scene, secret: str, known: tuple[str, ...], rows: tuple[Longs, ...]
    ) -> Score:
        parts = {"known": list(known)}
        if scene.height("released") == 0:
            nothing = Rate(0, 0.0, self.confidence)
            return Rates(nothing, nothing).score(self.kind(), parts=parts)
        told, columns = scene.columns[secret], [scene.columns[name] for name in known]

        def rate(side: Side, found: Floats, asked: Longs) -> Rate:
            shares = scene.by_person(side, found, asked)
            return Rate(len(shares), float(shares.sum()), self.confidence)

        right = self._right(told, columns, "original", rows[0])
        naive = self._naive(told, rows[0])
        held_out = None
        if scene.height("control"):
            others = self._right(told, columns, "control", rows[1])
            held_out = rate("control", others, rows[1])
        rates = Rates(rate("original", right, rows[0]), rate("original", naive, rows[0]), held_out)
        return rates.score(self.kind(), parts=parts, records=scene.of_records(right))

    def _right(self, secret: Column, known: list[Column], asking: Side, rows: Longs) -> Floats:
        """Probability that the guess about each person is right."""
        from microveil.kernels.neighbours.gower_neighbours import guess_chances

        space = Space(known, asking, "released")
        candidates = space.candidates()
        right = np.empty(len(rows))
        size = max(1, TABLE_CELLS // _width(secret))
        for place, queries in space.queries(rows):
            for start in range(0, len(place), size):
                within = np.arange(start, min(start + size, len(place)))
                chances = _chances(secret, asking, rows[place[within]], self.tolerance)
                right[place[within]] = guess_chances(queries.take(within), candidates, chances)
        return right

    def _naive(self, secret: Column, rows: Longs) -> Floats:
        """Probability that a random released record has each person's secret."""
        if secret.ordered and not secret.labelled:
            return _shares_within(secret, rows, self.tolerance)
        chances = _chances(secret, "original", rows, self.tolerance)
        shares = np.bincount(chances.codes, minlength=chances.table.shape[1]) / len(chances.codes)
        return (chances.table @ shares)[chances.rows]


def _chances(secret: Column, asking: Side, rows: Longs, tolerance: float) -> Chances:
    """Probability that a guess about the people at some rows is right."""
    from microveil.kernels.neighbours.gower_neighbours import Chances

    side = SIDES.index(asking)
    if secret.ordered and not secret.labelled:
        sides = (secret.original, secret.released, secret.control)
        numbers = [numbers_of(one) for one in sides]
        return Chances(
            np.zeros(0, np.int64),
            np.zeros((0, 0)),
            np.zeros(0, np.int32),
            numbers[side][rows],
            np.ascontiguousarray(numbers[1]),
            tolerance,
        )
    distinct, row = np.unique(secret.codes[side][rows], return_inverse=True)
    guesses, width = secret.codes[1], _width(secret)
    missing = width - 1
    table = np.zeros((len(distinct), width))
    there = distinct[distinct >= 0].astype(np.int64)
    first = len(distinct) - len(there)
    if secret.labels is None:
        seen = np.flatnonzero(there < missing)
        table[first + seen, there[seen]] = 1.0
    else:
        inner = secret.labels.chances(there, tolerance)
        table[first:, : inner.shape[1]] = inner
    if first:
        table[0, missing] = 1.0
    codes = np.where(guesses < 0, missing, guesses).astype(np.int32)
    return Chances(row, table, codes, np.zeros(0), np.zeros(0), tolerance)


def _width(secret: Column) -> int:
    """Columns of the table of probabilities: the guesses, and missing; numbers need no table."""
    if secret.ordered and not secret.labelled:
        return 1
    return int(secret.codes[1].max(initial=0)) + 2


def _shares_within(secret: Column, rows: Longs, tolerance: float) -> Floats:
    """Share of released numbers within the tolerance of each person's."""
    numbers = secret.released.cast(pl.Float64)
    present = np.sort(numbers.drop_nulls().to_numpy())
    x = numbers_of(secret.original)[rows]
    slack = tolerance * np.abs(np.where(np.isfinite(x), x, 0.0))
    with np.errstate(over="ignore"):  # no number lies beyond the largest
        above = np.searchsorted(present, x + slack, side="right")
        counts = above - np.searchsorted(present, x - slack, side="left")
    counts = np.where(np.isnan(x), numbers.null_count(), counts)
    return counts / len(numbers)
