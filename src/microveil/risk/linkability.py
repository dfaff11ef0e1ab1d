"""Linkability attack: whether a release links two sources about the same person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import Field

from microveil.errors import InputError
from microveil.pairs.columns import Column
from microveil.risk.attacks.base import Attacked, AttackMeasure, attack_columns
from microveil.risk.attacks.neighbours import Side, Space
from microveil.risk.attacks.rates import Rate, Rates
from microveil.risk.attacks.subsets import worst_by_columns
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns
from microveil.texts import phrase

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.arrays import Longs
    from microveil.risk.attacks.people import Scene

PEOPLE: tuple[Side, ...] = ("original", "control")
Halves = tuple[tuple[str, ...], ...]
"""The columns of two sources."""


class Linkability(AttackMeasure):
    """Share of people whose records in two sources the release links, in excess of the control.

    The intruder has two sources about the same people, each with some of the columns. For a person,
    the nearest released record is found from either source (Gower's distance); if both searches
    return the same record, the sources are linked. Ties are broken at random, and a link counts its
    exact probability. The baseline is a match by pure chance; the control is the same attack on
    people who were not used for the release. ``parts`` has the rates with their intervals;
    ``records`` has each person's probability when all are attacked (Giomi et al. 2023).

    Time grows with attacks × released records × columns.

    >>> people = {"age": [20, 30, 40, 50], "zip": ["a", "b", "c", "d"]}
    >>> Linkability().measure(people, people).parts["attack"]["rate"]
    1.0
    """

    question: ClassVar[str] = "Can records be linked to people?"
    title: ClassVar[str] = "Linkability attack"
    headline: ClassVar[bool] = True
    name: Literal["linkability"] = "linkability"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "known"
    known: Annotated[tuple[Columns, ...], Field(max_length=2)] = ()
    """Columns of the two sources; by default quasi-identifiers and the rest, or two halves."""
    n_neighbours: int = Field(default=1, ge=1)
    """Number of nearest records that each search returns."""

    def knowing(self, columns: tuple[str, ...]) -> Self:  # noqa: ARG002  a source beside the rest
        """The keys are one source, as the roles say, and all other columns the second."""
        return self

    def attack(self, case: Attacked, rng: np.random.Generator) -> Score:
        """Search the release by either half of each person's columns."""
        halves = self._halves(case.original, case.tables)
        scene = case.scene(list(dict.fromkeys(name for half in halves for name in half)))
        rows = tuple(scene.targets(side, self.n_attacks, rng) for side in PEOPLE)
        n_pairs = len(rows[0]) * scene.height("released")

        def by(columns: tuple[str, ...]) -> Score | None:
            sources = self._sources(case.original, halves, columns)
            return None if sources is None else self._by(scene, sources, rows)

        names = list(scene.columns)
        return worst_by_columns(names, scene.labelled_columns(), n_pairs, by, self.confidence)

    def _by(self, scene: Scene, halves: Halves, rows: tuple[Longs, ...]) -> Score:
        """The attack by two sources."""
        columns = tuple([scene.columns[name] for name in half] for half in halves)
        chances = self._chances(columns, "original", rows[0])
        n_released = scene.height("released")
        held_out = None
        if scene.height("control"):
            found = scene.by_person("control", self._chances(columns, "control", rows[1]), rows[1])
            held_out = Rate(len(found), float(found.sum()), self.confidence)
        linked = scene.by_person("original", chances, rows[0])
        by_chance = len(linked) * self._by_chance(n_released)
        rates = Rates(
            Rate(len(linked), float(linked.sum()), self.confidence),
            Rate(len(linked), by_chance, self.confidence),
            held_out,
        )
        return rates.score(
            self.kind(),
            parts={"known": [list(half) for half in halves]},
            records=scene.of_records(chances) if n_released else None,
        )

    def _sources(self, original: Table, halves: Halves, kept: tuple[str, ...]) -> Halves | None:
        """What is left of two sources if the intruder ignores the other columns."""
        less = tuple(tuple(name for name in half if name in kept) for half in halves)
        if all(less):
            return less
        return None if self.known or len(kept) < 2 else _two_halves(original, list(kept))  # noqa: PLR2004  two sources

    def _halves(self, original: Table, tables: tuple[Table | None, ...]) -> Halves:
        if self.known:
            if len(self.known) != 2 or not all(self.known):  # noqa: PLR2004  two sources
                raise InputError("Linkability needs two non-empty lists of known columns.")
            named = [name for half in self.known for name in half]
            attack_columns(tables, named, attack=phrase("Linkability"))
            return self.known
        columns = attack_columns(tables, attack=phrase("Linkability"))
        if len(columns) < 2:  # noqa: PLR2004  two sources
            raise InputError("Linkability needs at least two columns that both tables have.")
        keys = tuple(name for name in columns if name in original.roles.quasi_identifiers)
        rest = tuple(name for name in columns if name not in keys)
        return (keys, rest) if keys and rest else _two_halves(original, columns)

    def _chances(
        self,
        columns: tuple[list[Column], ...],
        asking: Side,
        rows: Longs,
    ) -> NDArray[np.float64]:
        """Probability that the halves of each attacked row are linked."""
        from microveil.kernels.linkage.link_chances import link_chances
        from microveil.kernels.neighbours.gower_neighbours import common_neighbours

        first, second = (Space(half, asking, "released") for half in columns)
        candidates = (first.candidates(), second.candidates())
        n_released = candidates[0].codes.shape[1]
        if n_released == 0:
            return np.zeros(len(rows))
        k = min(self.n_neighbours, n_released)
        chances = np.empty(len(rows))
        # A chunk of the rows at a time, so that the distance tables of both halves fit.
        for place, one in first.queries(rows):
            for within, other in second.queries(rows[place]):
                links = common_neighbours((one.take(within), other), candidates, k)
                chances[place[within]] = link_chances(links, k)
        return chances

    def _by_chance(self, n_released: int) -> float:
        from microveil.kernels.linkage.link_chances import chance_choices

        return chance_choices(n_released, min(self.n_neighbours, n_released)) if n_released else 0.0


def _two_halves(original: Table, columns: list[str]) -> tuple[tuple[str, ...], ...]:
    """Columns dealt out alternately, most informative first, so that both halves match."""
    ranked = sorted(columns, key=lambda name: (-original.frame[name].n_unique(), name))
    halves = {name: place % 2 for place, name in enumerate(ranked)}
    return tuple(tuple(name for name in columns if halves[name] == half) for half in (0, 1))
