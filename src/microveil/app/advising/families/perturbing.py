"""Methods that change values: for amounts, for categories, and for keys that must not match."""

from __future__ import annotations

from abc import abstractmethod
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
from microveil.methods import (
    AdditiveNoise,
    Method,
    Microaggregate,
    Pram,
    RankSwap,
    Shuffle,
    SwapRecords,
)

if TYPE_CHECKING:
    from microveil.app.advising.situation import Situation

MOST_CATEGORIES = 200
"""Distinct values up to which a column is changed by a matrix."""
PROPOSALS, MOST_PROPOSALS = 20_000, 20_000_000
"""Proposals of a refined search: per record, and in all."""
PROPOSED = 2e-7
"""Units of work per proposal."""


class Strength(Family):
    """A method with one number that tells how much it changes."""

    truthful: ClassVar[bool] = False
    for_keys: ClassVar[bool] = False
    strengths: ClassVar[tuple[float, ...]]
    """From weak to strong."""
    first: ClassVar[tuple[float, ...]]
    """Strengths to start with."""

    def columns(self, here: Situation) -> tuple[str, ...]:
        """The columns that it changes."""
        return here.numbers_in(here.contents)

    def suits(self, here: Situation) -> bool:
        """Where limits on measures may need more than the keys' treatment."""
        return bool(here.limits) and bool(self.columns(here))

    def starts(self, here: Situation) -> Iterator[At]:  # noqa: ARG002  whatever the table
        """Weak and middling."""
        for one in self.first:
            yield (one,)

    def around(self, here: Situation, at: At) -> Iterator[At]:  # noqa: ARG002  whatever the table
        """A little weaker or stronger."""
        for near in next_to(at[0], self.strengths):
            yield (near,)

    def stronger(self, here: Situation, at: At) -> Iterator[At]:  # noqa: ARG002  whatever the table
        """The next stronger settings."""
        place = self.strengths.index(at[0])
        for near in self.strengths[place + 1 : place + 3]:
            yield (near,)

    @abstractmethod
    def step(self, here: Situation, strength: Any) -> Method:
        """The step at a strength."""

    def steps(self, here: Situation, at: At) -> tuple[Method, ...]:
        """One step."""
        return (self.step(here, at[0]),)

    def detail(self, here: Situation, at: At) -> str:  # noqa: ARG002  whatever the table
        """The strength."""
        return f"{self.method.replace('_', ' ')} {at[0]:g}"


class Averages(Strength):
    """Amounts replaced by averages of groups of similar records."""

    name: ClassVar[str] = "microaggregate"
    method: ClassVar[str] = "microaggregate"
    cost: ClassVar[float] = 2e-5
    strengths: ClassVar[tuple[float, ...]] = (3, 5, 10, 20, 50)
    first: ClassVar[tuple[float, ...]] = (3, 10)
    known: ClassVar[Knowledge] = Knowledge(
        have="amounts beside the keys that single out records",
        need="attacks on numbers kept below a ceiling, with means and correlations nearly kept",
        why="Each amount is that of a whole group, and totals stay as they are.",
        beware="Extremes are pulled inwards. Several columns are grouped together.",
    )

    def step(self, here: Situation, strength: Any) -> Method:
        """All amounts grouped together."""
        return Microaggregate(columns=self.columns(here), k=int(strength))


class Swaps(Strength):
    """Amounts swapped between records of similar rank."""

    name: ClassVar[str] = "rank_swap"
    method: ClassVar[str] = "rank_swap"
    cost: ClassVar[float] = 3e-6
    strengths: ClassVar[tuple[float, ...]] = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4)
    first: ClassVar[tuple[float, ...]] = (0.05, 0.2)
    known: ClassVar[Knowledge] = Knowledge(
        have="amounts or dates beside the keys",
        need="each column's distribution exactly as it was",
        why="Values only change places, so that every table of one column stays right.",
        beware="Relations between columns fade with the range of the swap.",
    )

    def step(self, here: Situation, strength: Any) -> Method:
        """All amounts, each by itself."""
        return RankSwap(columns=self.columns(here), range_share=strength)


class Noise(Strength):
    """Amounts with random noise."""

    name: ClassVar[str] = "additive_noise"
    method: ClassVar[str] = "additive_noise"
    cost: ClassVar[float] = 2e-6
    strengths: ClassVar[tuple[float, ...]] = (0.05, 0.1, 0.2, 0.3, 0.5, 0.8)
    first: ClassVar[tuple[float, ...]] = (0.1, 0.5)
    known: ClassVar[Knowledge] = Knowledge(
        have="amounts beside the keys",
        need="regressions with known error, and correlations kept",
        why="The noise has the correlations of the columns, and its size is known.",
        beware="Filters can take some of it off again; extremes stay extreme.",
    )

    def step(self, here: Situation, strength: Any) -> Method:
        """Noise with the columns' correlations."""
        columns = self.columns(here)
        return AdditiveNoise(columns=columns, sd_share=strength, correlated=len(columns) > 1)


class Shuffles(Strength):
    """Amounts reordered so that ranks keep their relations."""

    name: ClassVar[str] = "shuffle"
    method: ClassVar[str] = "shuffle"
    cost: ClassVar[float] = 4e-6
    strengths: ClassVar[tuple[float, ...]] = (1,)
    first: ClassVar[tuple[float, ...]] = (1,)
    known: ClassVar[Knowledge] = Knowledge(
        have="amounts beside the keys, related to other numbers",
        need="exact distributions and rank correlations, and no link to a record",
        why="New ranks are drawn given the other columns; each value is kept once.",
        beware="No single amount is anybody's any more.",
    )

    def step(self, here: Situation, strength: Any) -> Method:
        """All amounts, given the numbers among the keys."""
        del strength
        columns = self.columns(here)
        given = () if len(columns) > 1 else here.numbers_in(here.keys)
        return Shuffle(columns=columns, given=given)

    def suits(self, here: Situation) -> bool:
        """Where there are two columns of numbers to relate."""
        n_numbers = len(self.columns(here)) + len(here.numbers_in(here.keys))
        return super().suits(here) and n_numbers > 1


class RandomCategories(Strength):
    """Categories beside the keys changed at random (PRAM)."""

    name: ClassVar[str] = "pram"
    method: ClassVar[str] = "pram"
    cost: ClassVar[float] = 2e-6
    strengths: ClassVar[tuple[float, ...]] = (0.95, 0.9, 0.8, 0.6, 0.4)
    first: ClassVar[tuple[float, ...]] = (0.9, 0.6)
    known: ClassVar[Knowledge] = Knowledge(
        have="confidential categories beside the keys",
        need="inference about single people kept below a ceiling, with frequencies kept",
        why="A value may be wrong, so that nobody's is certain; the matrix keeps frequencies.",
        beware="Combinations that cannot be may appear.",
    )

    def columns(self, here: Situation) -> tuple[str, ...]:
        """Categories with not too many values."""
        found = here.categories_in(here.contents)
        few = [n for n in found if 1 < here.frame[n].drop_nulls().n_unique() <= MOST_CATEGORIES]
        return tuple(few)

    def step(self, here: Situation, strength: Any) -> Method:
        """A matrix that keeps the frequencies."""
        return Pram(columns=self.columns(here), retention=strength, invariant=True)


class KeyAverages(Family):
    """All keys replaced by those of the middle of groups of similar records."""

    name: ClassVar[str] = "microaggregate_keys"
    method: ClassVar[str] = "microaggregate"
    truthful: ClassVar[bool] = False
    cost: ClassVar[float] = 3e-5
    known: ClassVar[Knowledge] = Knowledge(
        have="keys that are numbers, such as amounts known to others",
        need="k-anonymity with numbers that stay numbers",
        why="Groups of k share one record of means and modes: no intervals, no gaps.",
        beware="Values are no longer true; time grows with the square of the records.",
    )
    most_records: ClassVar[int] = 30_000

    def suits(self, here: Situation) -> bool:
        """Where most keys are numbers, and the records not too many."""
        numbers = here.numbers_in(here.keys)
        few = here.frame.height <= self.most_records
        one_set = not here.roles.scenarios and not set(here.goal.untouched) & set(here.keys)
        able = few and one_set and bool(here.require and here.hidden_keys)
        return able and 2 * len(numbers) >= len(here.keys)

    def starts(self, here: Situation) -> Iterator[At]:
        """Groups of k at their medians, then at their means."""
        if here.numbers_in(here.keys):
            yield (1, "mdav", "median")
        yield (1, "mdav", "auto")
        if self._all_numbers(here):
            yield (1, "refined", "median")

    def around(self, here: Situation, at: At) -> Iterator[At]:
        """Better groups, the other centre, another k where that may pay."""
        times, groups, centre = at
        if self._all_numbers(here):
            yield (times, "refined" if groups == "mdav" else "mdav", centre)
        yield (times, groups, "auto" if centre == "median" else "median")
        yield from ((other, groups, centre) for other in other_times(here, times))

    def stronger(self, here: Situation, at: At) -> Iterator[At]:  # noqa: ARG002  whatever the table
        """Larger groups."""
        times, *rest = at
        yield from ((more, *rest) for more in stronger_times(times))

    def cost_of(self, here: Situation, at: At) -> float:
        """A refined search makes a number of proposals, whatever the keys."""
        if at[1] != "refined":
            return self.cost
        n = max(here.table.height, 1)
        proposals = min(PROPOSALS * n, MOST_PROPOSALS)
        return self.cost + proposals * PROPOSED / (n * max(len(here.keys), 1))

    def _all_numbers(self, here: Situation) -> bool:
        return here.numbers_in(here.hidden_keys) == here.hidden_keys

    def steps(self, here: Situation, at: At) -> tuple[Method, ...]:
        """One step over all keys."""
        times, groups, centre = at
        keys = here.hidden_keys
        distance = "euclidean" if self._all_numbers(here) else "gower"
        numbers = here.numbers_in(keys) if centre == "median" else ()
        averaged = Microaggregate(
            columns=keys,
            k=here.k * times,
            algorithm=groups,
            distance=distance,
            aggregation=dict.fromkeys(numbers, "median") or "auto",
        )
        return (*here.without_told, averaged)

    def detail(self, here: Situation, at: At) -> str:
        """How groups are made, what stands for them, and the k."""
        times, groups, centre = at
        told = "refined, " if groups == "refined" else ""
        return f"{told}{'medians, ' if centre == 'median' else ''}k {here.k * times}"


class PerturbedKeys(Strength):
    """Keys that no longer match: categories at random, numbers swapped."""

    name: ClassVar[str] = "perturb_keys"
    method: ClassVar[str] = "pram"
    for_keys: ClassVar[bool] = True
    cost: ClassVar[float] = 5e-6
    strengths: ClassVar[tuple[float, ...]] = (0.95, 0.9, 0.8, 0.7, 0.6, 0.4)
    first: ClassVar[tuple[float, ...]] = (0.9, 0.7)
    known: ClassVar[Knowledge] = Knowledge(
        have="ceilings on attacks, and no model that counts classes",
        need="every record and column in place, at the price of wrong values",
        why="An intruder who finds a match cannot know whether it is right.",
        beware="Class sizes say nothing afterwards: k-anonymity cannot be claimed.",
    )

    def columns(self, here: Situation) -> tuple[str, ...]:
        """Keys that can be changed."""
        return (*here.categories_in(here.keys), *here.numbers_in(here.keys))

    def suits(self, here: Situation) -> bool:
        """Where no model counts classes."""
        return bool(here.limits) and not here.models and bool(self.columns(here))

    def step(self, here: Situation, strength: Any) -> Method:
        """The matrix of the categories."""
        return Pram(columns=here.categories_in(here.keys), retention=strength, invariant=True)

    def steps(self, here: Situation, at: At) -> tuple[Method, ...]:
        """Categories at random, numbers swapped as far."""
        numbers = here.numbers_in(here.keys)
        steps: list[Method] = [self.step(here, at[0])] if here.categories_in(here.keys) else []
        if numbers:
            steps.append(RankSwap(columns=numbers, range_share=round(1 - at[0], 6)))
        return tuple(steps)


class SwappedPlaces(Strength):
    """Places of similar records or households swapped."""

    name: ClassVar[str] = "swap_records"
    method: ClassVar[str] = "swap_records"
    for_keys: ClassVar[bool] = True
    cost: ClassVar[float] = 5e-6
    strengths: ClassVar[tuple[float, ...]] = (0.02, 0.05, 0.1, 0.2, 0.4)
    first: ClassVar[tuple[float, ...]] = (0.05, 0.2)
    known: ClassVar[Knowledge] = Knowledge(
        have="a place among the keys, people or households in it, and ceilings on attacks",
        need="tables by place with nearly right counts",
        why="Rare households change places with similar ones elsewhere; everything else stays.",
        beware="Class sizes say nothing afterwards: k-anonymity cannot be claimed.",
    )

    def columns(self, here: Situation) -> tuple[str, ...]:
        """The place that is swapped: one key that says where."""
        found = [n for n in here.categories_in(here.keys) if _is_place(here, n)]
        return tuple(found[:1])

    def suits(self, here: Situation) -> bool:
        """Where a key is a place and no model counts classes."""
        return bool(here.limits) and not here.models and bool(self.columns(here))

    def step(self, here: Situation, strength: Any) -> Method:
        """Swap a share, those at risk first."""
        return SwapRecords(hierarchy=self.columns(here), swap_share=strength, k=here.k)


PLACES = ("postcode", "place", "region", "municipality", "address", "country")


def _is_place(here: Situation, name: str) -> bool:
    kind = here.looked[name].kind or ""
    return any(word in kind for word in PLACES)
