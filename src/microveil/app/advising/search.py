"""Search: many plans on small samples, few on all records, then what is next to the best."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, islice, zip_longest

import numpy as np

from microveil.app.advising.candidates import AS_IT_IS, Candidate
from microveil.app.advising.choosing import by_taste
from microveil.app.advising.families import FAMILIES, Family, Plan
from microveil.app.advising.judging import Judge
from microveil.app.advising.saving import Trials
from microveil.app.advising.work import Budget
from microveil.app.exploration.workers import usable_workers
from microveil.errors import InputError
from microveil.progress import Progress, silent
from microveil.texts import Message

MANY = 30_000_000
"""Cells from which trials are made one at a time, to save memory."""
FIRST_SHARE = 0.6
"""Share of the work that the starts may take; the rest is for what is next to the best."""
SAMPLED_SHARE = 0.5
"""Share of the starts' work that samples may take: nothing can be offered by them alone."""
SURE = 2
"""Plans that did best on samples, which are tried on all records before any neighbour is."""
NEARBY = 6
"""Neighbours that are tried at a time."""
NEAR_THE_BEST = 0.15
"""Loss beyond the best one, relative to it, up to which a plan's neighbours are worth trying."""
NEAR_AT_LEAST = 0.01
MOST_IN_VAIN = 4
"""Times that settings are drawn around the best without finding a better one."""
SHAKEN_PLANS = 2
SAFER = 6
"""Times that something stronger than the safest recipe until now is tried, as long as it helps."""
WAYS_TO_SAFETY = 3
SAFER_SHARE = 0.75
"""Share of the work up to which stronger settings are tried."""
TOLD_TRULY = 3
"""Plans that are tried without a wrong value, too."""
ENOUGH = 3
"""Trials on all records after which a search that found nothing ends on time, too."""


@dataclass(eq=False)
class Search:
    """The plans that were tried, on each rung of samples, and how each did."""

    judge: Judge
    budget: Budget
    trials: Trials
    progress: Progress = silent
    tried: dict[Plan, Candidate] = field(default_factory=dict)
    """Plans tried on all records."""
    sampled: dict[tuple[Plan, int], Candidate] = field(default_factory=dict)
    looked_around: set[Plan] = field(default_factory=set)
    workers: int | None = None
    """Threads; by default one per core. The answer does not depend on it."""

    @property
    def full(self) -> int:
        """The rung of all records."""
        return len(self.judge.samples.shares) - 1

    def run(self) -> None:
        """Starts, halved on samples; full runs; neighbours of the best until work is used up."""
        starts = list(self._starts())
        self._refuse_short(starts)
        chosen = self._halve(starts)
        ordered = self._quick_first(chosen)
        self._try(ordered, self.full, FIRST_SHARE)
        for plan in ordered[:ENOUGH]:  # whatever the time: something must be tried
            self._try([plan], self.full, 0.0)
        self._try(chosen[:SURE], self.full)
        self._strengthen()
        self._tell_truly()
        in_vain = 0
        rng = np.random.default_rng(self.judge.draws.sampling)
        while in_vain < MOST_IN_VAIN:
            while self._look_around():
                pass
            in_vain = 0 if self._shake(rng) else in_vain + 1
        self._tell_truly()

    def _quick_first(self, plans: Sequence[Plan]) -> list[Plan]:
        """First a plan that often holds and takes little, then the data as they are.

        The one is something to offer if time is short, by the other prices are told.
        """
        quick = [plan for plan in plans if plan.family == "mondrian" and not plan.beside][:1]
        corner = [plan for plan in plans if plan.family == AS_IT_IS and not plan.beside]
        return list(dict.fromkeys([*quick, *corner, *plans]))

    def _tell_truly(self) -> None:
        """The best plans without a wrong value, where exact values were averaged until now."""
        here = self.judge.here
        if not here.blurs_by_noise:
            return
        ranked = sorted(self.tried.items(), key=lambda pair: pair[1].rank)
        true = [
            plan._replace(truly=True)
            for plan, one in ranked
            if one.counts and FAMILIES[plan.family].truthful and not plan.beside
        ]
        self._try(list(dict.fromkeys(true))[:TOLD_TRULY], self.full)

    def _shake(self, rng: np.random.Generator) -> bool:
        """Draw settings around the best plans; whether one is better than the best so far."""
        if not self.tried or self.budget.late:
            return False
        ranked = sorted(self.tried, key=lambda plan: self.tried[plan].rank)
        here, before = self.judge.here, self.tried[ranked[0]].rank
        drawn = [
            plan._replace(at=at)
            for plan in ranked[:SHAKEN_PLANS]
            for at in FAMILIES[plan.family].shake(here, plan.at, rng)
        ]
        self._try(list(dict.fromkeys(drawn)), self.full)
        return min(self.tried[plan].rank for plan in self.tried) < before

    def _refuse_short(self, starts: Sequence[Plan]) -> None:
        least = min((self._cost(plan) for plan in starts), default=0.0)
        if least > self.budget.work:
            raise InputError(
                Message(
                    "advise.too_short",
                    "The time is too short for one full run: give about {needed:,} seconds, or "
                    "fewer records.",
                    needed=int(2 * least * self.budget.seconds / max(self.budget.work, 1e-9)) + 1,
                )
            )

    def _starts(self) -> Iterator[Plan]:
        """The first settings of every family that suits, one of each in turn."""
        here = self.judge.here
        able = [one for one in FAMILIES.values() if one.suits(here) and one.may_be_used(here)]
        keys = [self._starts_of(one) for one in able if one.for_keys]
        beside = [one for one in able if not one.for_keys]
        quick = self._quick_key_plan(able)
        both = [
            [quick._replace(beside=b.name, beside_at=at) for at in b.starts(here)] for b in beside
        ]
        # Where other columns need treatment, hardly a treatment of the keys alone will do.
        yield from _in_turn([*keys[:1], *both, *keys[1:]] if both else keys)

    def _starts_of(self, family: Family) -> list[Plan]:
        here = self.judge.here
        self.budget.spend(family.starting_cost(here))
        return [Plan(family.name, at) for at in family.starts(here)]

    def _quick_key_plan(self, able: Sequence[Family]) -> Plan:
        """What the keys get while treatments of other columns are compared first."""
        here = self.judge.here
        quick = [one for one in able if one.for_keys and one.name == "mondrian"]
        family = (quick or [FAMILIES["as_it_is"]])[0]
        return Plan(family.name, next(iter(family.starts(here))))

    def _halve(self, starts: list[Plan]) -> list[Plan]:
        """The better half of each rung of samples, and the best of each family."""
        total = sum(self.judge.cost(plan, self.full) for plan in starts)
        if total <= FIRST_SHARE * self.budget.work:
            return starts
        left, before = starts, min(self.budget.spent / self.budget.work, FIRST_SHARE)
        for rung in range(self.full):
            share = SAMPLED_SHARE * (rung + 1) / self.full
            self._try(left, rung, before + share * (FIRST_SHARE - before))
            ranked = sorted(left, key=lambda plan: self._rank(plan, rung))
            best = {(plan.family, plan.beside): plan for plan in reversed(ranked)}
            kept = set(ranked[: max((len(ranked) + 1) // 2, 1)]) | set(best.values())
            left = [plan for plan in ranked if plan in kept]
        # What did best on the largest sample comes first: work may end before the list does.
        return left

    def _rank(self, plan: Plan, rung: int) -> tuple[object, ...]:
        found = self.sampled.get((plan, rung))
        return (found is None, *(found.rank if found is not None else ()))

    def _strengthen(self) -> None:
        """Stronger settings of the best of each family, for a safest recipe with a meaning."""
        here = self.judge.here
        best: dict[str, Plan] = {}
        for plan, one in sorted(self.tried.items(), key=lambda pair: pair[1].rank):
            if one.loss is not None:
                best.setdefault(plan.family, plan)
        plans = [
            plan._replace(at=at)
            for plan in list(best.values())[:3]
            for at in islice(FAMILIES[plan.family].stronger(here, plan.at), 1)
        ]
        self._try(plans, self.full, SAFER_SHARE)
        for _ in range(SAFER):
            if not self._go_safer():
                return

    def _go_safer(self) -> bool:
        """Try what protects more than the safest recipe until now; whether it is safer."""
        plans = {id(one): plan for plan, one in self.tried.items()}
        ranked = by_taste("safest", self.tried.values())
        if not ranked or self.budget.late:
            return False
        plan = plans[id(ranked[0])]
        ahead = FAMILIES[plan.family].stronger(self.judge.here, plan.at)
        safer = [plan._replace(at=at) for at in islice(ahead, WAYS_TO_SAFETY)]
        self._try(safer, self.full, SAFER_SHARE)
        return by_taste("safest", self.tried.values())[0] is not ranked[0]

    def _look_around(self) -> bool:
        """Try neighbours of the most promising plan; False when no work or no plan is left."""
        here = self._most_promising()
        if here is None:
            return False
        ahead = [plan for plan in self._neighbours(here) if plan not in self.tried]
        able = [p for p in ahead if self.budget.afford(self._cost(p), 1.0, _kind(p))]
        if not able:
            self.looked_around.add(here)
            return True
        before = self.tried[here].rank
        for group in _groups(able, NEARBY):
            self._try(group, self.full)
            if any(self.tried[plan].rank < before for plan in group if plan in self.tried):
                return True
            if self.budget.late:
                return False
        self.looked_around.add(here)
        return True

    def _cost(self, plan: Plan) -> float:
        return self.judge.cost(plan, self.full)

    def _most_promising(self) -> Plan | None:
        """The best plan whose neighbours were not tried; none if all are far from the best."""
        if self.budget.late or self.budget.left <= 0 or not self.tried:
            return None
        least = min(self.tried.values(), key=lambda one: one.rank)
        ahead = [
            plan
            for plan, one in self.tried.items()
            if plan not in self.looked_around and one.loss is not None and _near(one, least)
        ]
        return min(ahead, key=lambda plan: self.tried[plan].rank, default=None)

    def _neighbours(self, plan: Plan) -> Iterator[Plan]:
        """Other settings of both parts; another treatment beside the keys where limits ask."""
        here = self.judge.here
        family = FAMILIES[plan.family]
        near: Iterable[Plan] = (plan._replace(at=at) for at in family.around(here, plan.at))
        if not self.tried[plan].counts:
            stronger = (plan._replace(at=at) for at in family.stronger(here, plan.at))
            near = chain(stronger, self._beside(plan, stronger=True), near)
        return iter(dict.fromkeys(chain(self._beside(plan, stronger=False), near)))

    def _beside(self, plan: Plan, *, stronger: bool) -> Iterator[Plan]:
        here = self.judge.here
        if plan.beside:
            family = FAMILIES[plan.beside]
            step = family.stronger if stronger else family.around
            yield from (plan._replace(beside_at=at) for at in step(here, plan.beside_at))
            if not stronger:
                yield plan._replace(beside="", beside_at=())
        elif stronger and not FAMILIES[plan.family].synthetic:
            for family in FAMILIES.values():
                if not family.for_keys and family.suits(here) and family.may_be_used(here):
                    for at in family.starts(here):
                        yield plan._replace(beside=family.name, beside_at=at)

    def _try(self, plans: Sequence[Plan], rung: int, share: float = 1.0) -> None:
        """Try plans as far as the work allows; which ones does not depend on the time they take."""
        begun: list[Plan] = []
        for plan in plans:
            known = plan in self.tried if rung == self.full else (plan, rung) in self.sampled
            cost = self.judge.cost(plan, rung)
            needed = rung == self.full and not begun and not self._has_answer()
            if known or not (self.budget.afford(cost, share, _kind(plan)) or needed):
                continue
            self.budget.spend(cost)
            begun.append(plan)
        self.budget.begin()
        frame = self.judge.here.frame
        many = frame.height * max(frame.width, 1) > MANY
        workers = 1 if many else usable_workers(self.workers, len(begun))
        for plan, found in zip(begun, self._each(begun, rung, workers), strict=False):
            self._note(plan, rung, found)

    def _each(self, plans: Sequence[Plan], rung: int, workers: int) -> Iterator[Candidate | None]:
        """Each plan's candidate in order; None for those that the time did not allow."""
        if workers <= 1:
            for plan in plans:
                yield self._one(plan, rung)
            return
        pool = ThreadPoolExecutor(workers, thread_name_prefix="advise")
        try:
            yield from pool.map(lambda plan: self._one(plan, rung), plans)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _one(self, plan: Plan, rung: int) -> Candidate | None:
        known = self.trials.load(plan, rung, self.judge.candidate_of)
        if known is not None:
            return known
        cost, whole, family = self.judge.cost(plan, rung), rung == self.full, _kind(plan)
        if not whole and self.budget.too_late_for(cost, FIRST_SHARE, family):
            return None  # time is left for all records, by which alone anything can be offered
        if whole and self._has_answer() and self.budget.too_late_for(cost, 1.0, family):
            return None
        begun = time.monotonic()
        found = self.judge.trial(plan, rung)
        self.budget.finish(cost, family, time.monotonic() - begun, whole=whole)
        self.trials.save(plan, rung, found)
        return found

    def _has_answer(self) -> bool:
        """Whether something can be offered, or was looked for long enough to say that nothing."""
        tried = list(self.tried.values())
        return len(tried) >= ENOUGH or any(one.counts for one in tried)

    def _note(self, plan: Plan, rung: int, found: Candidate | None) -> None:
        if found is None:
            return
        if rung == self.full:
            self.tried[plan] = found
        else:
            self.sampled[plan, rung] = found
        self.progress(min(self.budget.spent, self.budget.work), self.budget.work, self.best_so_far)

    @property
    def best_so_far(self) -> str:
        """The best recipe until now, for those who watch."""
        done = [one for one in self.tried.values() if one.counts]
        if not done:
            return f"{len(self.tried) + len(self.sampled)} tried"
        best = min(done, key=lambda one: one.rank)
        return f"{len(self.tried)} tried, best loss {best.loss:.4g}: {best.name}"


def _kind(plan: Plan) -> str:
    """The families of a plan: those of one kind take about as long for the same work."""
    return f"{plan.family} {plan.beside}"


def _near(one: Candidate, least: Candidate) -> bool:
    """Whether a candidate is near enough to the best one for its neighbours to be tried."""
    if one.counts != least.counts:
        return False
    if not one.counts:
        return one.shortfall <= 2 * least.shortfall + NEAR_AT_LEAST
    best = least.loss or 0.0
    return (one.loss or 0.0) <= best + max(NEAR_THE_BEST * best, NEAR_AT_LEAST)


def _in_turn(lists: Iterable[Sequence[Plan]]) -> Iterator[Plan]:
    """The first of each list, then the second of each, and so on."""
    for some in zip_longest(*lists):
        yield from (one for one in some if one is not None)


def _groups(plans: Sequence[Plan], size: int) -> Iterator[Sequence[Plan]]:
    for start in range(0, len(plans), size):
        yield plans[start : start + size]
