"""Methods that search for classes themselves: lattices, local recoding, partitions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from microveil.app.advising.families.base import (
    At,
    Family,
    Knowledge,
    next_to,
    other_times,
    stronger_times,
)
from microveil.display import percent
from microveil.methods import LocalRecoding, Method, Mondrian, OptimalGeneralization

if TYPE_CHECKING:
    from microveil.app.advising.situation import Situation

SHARES = (0.0, 0.01, 0.02, 0.05, 0.1)
"""Shares of the records that a search may remove."""
MOST_CHECKS = 2_000
"""Nodes that a lattice search may check: a count, so that it ends alike on every machine."""


class Classes(Family):
    """What the searching methods share: they aim at k and the models themselves."""

    keeps_records: ClassVar[bool] = False

    def suits(self, here: Situation) -> bool:
        """Wherever there are keys and a model or ceiling to reach, and one set of keys."""
        roles = here.roles
        one_set = not roles.scenarios and bool(roles.quasi_identifiers)
        free = not set(here.goal.untouched) & set(here.keys)
        return one_set and free and bool(here.require and here.hidden_keys)

    def shares(self, here: Situation) -> tuple[float, ...]:
        """Shares of the records that may be removed under the goal."""
        return SHARES[:1] if here.goal.keep_records else SHARES

    def aim(self, here: Situation, times: int) -> dict[str, Any]:
        """k, models and hierarchies."""
        own = {name: one for name, one in here.hierarchies.items() if name in here.hidden_keys}
        return {"k": here.k * times, "models": here.others, "hierarchies": own}

    def weights(self, here: Situation) -> dict[str, float]:
        """How much each key matters."""
        found = {name: here.goal.weights.get(name, 1.0) for name in here.hidden_keys}
        return {} if len(set(found.values())) <= 1 else found

    def starts(self, here: Situation) -> Iterator[At]:
        """Nothing removed, then a little."""
        yield (1, 0.0)
        if 0.02 in self.shares(here):  # noqa: PLR2004  one of the shares
            yield (1, 0.02)

    def around(self, here: Situation, at: At) -> Iterator[At]:
        """Another share of the records removed."""
        times, share = at
        yield from ((times, near) for near in next_to(share, self.shares(here)))
        yield from ((other, share) for other in other_times(here, times))

    def stronger(self, here: Situation, at: At) -> Iterator[At]:  # noqa: ARG002  whatever the table
        """A larger k."""
        times, *rest = at
        yield from ((more, *rest) for more in stronger_times(times))

    def detail(self, here: Situation, at: At) -> str:
        """Share of the records that may go, and the k."""
        times, share = at
        return f"{percent(share)}, k {here.k * times}"


class Recoding(Classes):
    """Each class of records generalised only as far as necessary."""

    name: ClassVar[str] = "local_recoding"
    method: ClassVar[str] = "local_recoding"
    cost: ClassVar[float] = 1.5e-5
    known: ClassVar[Knowledge] = Knowledge(
        have="hierarchies, or keys whose types give them",
        need="the least loss for k-anonymity with true values",
        why="Common combinations stay exact; only rare ones are generalised.",
        beware="Labels of different width stand side by side, which some programs cannot count. "
        "It takes longest.",
    )

    def steps(self, here: Situation, at: At) -> tuple[Method, ...]:
        """One step."""
        times, share = at
        aim = self.aim(here, times) | {"suppression_share": share, "weights": self.weights(here)}
        return (*here.without_told, LocalRecoding.parse(aim))


class Lattice(Classes):
    """Whole columns at one level each, the best combination of levels."""

    name: ClassVar[str] = "lattice"
    method: ClassVar[str] = "optimal_generalization"
    cost: ClassVar[float] = 1e-5
    known: ClassVar[Knowledge] = Knowledge(
        have="hierarchies, or keys whose types give them",
        need="every column at one level throughout, with any models",
        why="All combinations of levels are compared, so that none that is better is missed.",
        beware="A few outliers push whole columns up; allow some records to be removed.",
    )

    def steps(self, here: Situation, at: At) -> tuple[Method, ...]:
        """One step, which ends after a number of nodes."""
        times, share = at
        aim = self.aim(here, times) | {"suppression_share": share, "weights": self.weights(here)}
        step = OptimalGeneralization.parse(aim | {"max_checks": MOST_CHECKS})
        return (*here.without_told, step)


class Partitions(Classes):
    """Records divided into partitions, each published as its range of keys (Mondrian)."""

    name: ClassVar[str] = "mondrian"
    method: ClassVar[str] = "mondrian"
    keeps_records: ClassVar[bool] = True
    cost: ClassVar[float] = 1e-6
    known: ClassVar[Knowledge] = Knowledge(
        have="numbers and dates among the keys, or very many records",
        need="k-anonymity or other models soon, with no record removed",
        why="Ranges follow the data, narrow where records are dense.",
        beware="Ranges overlap between partitions, and categories become sets.",
    )

    def starts(self, here: Situation) -> Iterator[At]:  # noqa: ARG002  whatever the table
        """Both modes, and cuts by the loss."""
        yield (1, "strict", "widest")
        yield (1, "strict", "ncp")
        yield (1, "relaxed", "widest")

    def steps(self, here: Situation, at: At) -> tuple[Method, ...]:
        """One step."""
        times, mode, split = at
        coded = [
            n for n in here.hidden_keys if here.looked[n].labelled and n not in here.hierarchies
        ]
        codes = [n for n in coded if here.frame[n].dtype.is_integer()]
        aim = self.aim(here, times) | {"mode": mode, "split": split, "categories": codes}
        return (*here.without_told, Mondrian.parse(aim))

    def around(self, here: Situation, at: At) -> Iterator[At]:
        """The other mode, the other choice of cuts, another k where that may pay."""
        times, mode, split = at
        yield (times, "relaxed" if mode == "strict" else "strict", split)
        yield (times, mode, "ncp" if split == "widest" else "widest")
        yield from ((other, mode, split) for other in other_times(here, times))

    def detail(self, here: Situation, at: At) -> str:
        """Mode and k."""
        times, mode, split = at
        cuts = ", cuts by loss" if split == "ncp" else ""
        return f"{mode}{cuts}, k {here.k * times}"
