"""Sampling: how many records of each stratum stay is settled first, then which, part by part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.methods import Outcome, Sample
from microveil.methods.sample import multiply_weights, quotas_of
from microveil.planning.class_index import places
from microveil.planning.course import Course
from microveil.planning.plan import State, StepPlan
from microveil.tables import Roles, Table


@dataclass(frozen=True, eq=False)
class SamplePlan(StepPlan):
    """The records of each stratum that are there, and that stay."""

    strata: pl.DataFrame
    sizes: Longs
    quotas: Longs
    share: float

    @property
    def kind(self) -> str:
        """From counts."""
        return "from counts"

    @property
    def opaque(self) -> bool:
        """Always."""
        return True

    @property
    def removes(self) -> bool:
        """Always."""
        return True

    @property
    def sequential(self) -> bool:
        """What is left to be drawn depends on what was drawn before."""
        return True

    @property
    def facts(self) -> Mapping[str, Any]:
        """Known beforehand."""
        return {
            "n_records": int(self.sizes.sum()),
            "n_left_out": int((self.sizes - self.quotas).sum()),
            "probability": self.share,
            "n_strata": len(self.sizes) if self.sizes.sum() else 0,
            "n_empty_strata": int(((self.quotas == 0) & (self.sizes > 0)).sum()),
        }

    def start(self) -> State:
        """Records of each stratum still to come, and still to be drawn."""
        return np.stack([self.sizes, self.quotas])

    def tally(self, part: Table) -> Longs:
        """Records of each stratum in a part."""
        return np.bincount(self._stratum(part), minlength=len(self.sizes))

    def starts(self, tallies: Longs, rng: np.random.Generator) -> list[State]:
        """What each part has, and what is drawn from it: multivariate hypergeometric numbers."""
        drawn = np.stack(
            [
                rng.multivariate_hypergeometric(of_parts, quota, method="marginals")
                for of_parts, quota in zip(tallies.T, self.quotas, strict=True)
            ],
            axis=1,
        )
        return list(np.stack([tallies, drawn], axis=1))

    def protect(self, part: Table, rng: np.random.Generator, state: State) -> Outcome:
        """Draw from the part as many as chance gives it of what is still to be drawn."""
        stratum = self._stratum(part)
        chosen = np.zeros(part.height, dtype=np.bool_)
        for number in np.unique(stratum):
            rows = np.flatnonzero(stratum == number)
            left, wanted = state[:, number]
            # A part may have more than was counted only where the data changed meanwhile.
            others = max(int(left) - len(rows), 0)
            n = int(rng.hypergeometric(len(rows), others, min(wanted, len(rows) + others)))
            chosen[rng.choice(rows, n, replace=False)] = True
            state[:, number] -= (len(rows), n)
        step, kept = self.step, part.filter(chosen)
        assert isinstance(step, Sample)  # noqa: S101  it was planned for
        weight = part.roles.weight
        if weight is not None and step.adjust_weight:
            kept = multiply_weights(kept, weight, 1 / self.share)
        return Outcome(kept)

    def _stratum(self, part: Table) -> Longs:
        return places(self.strata, part.frame).fill_null(0).to_numpy()


def suits(step: Sample, roles: Roles) -> bool:
    """Whether records are drawn one by one, and weights need no adjustment."""
    whole = step.whole and (roles.household is not None or roles.entity is not None)
    return not whole and not (step.recalibrate and roles.weight is not None)


def plan_sample(
    step: Sample, position: int, course: Course, rng: np.random.Generator
) -> SamplePlan:
    """Count the strata, and settle how many of each stay."""
    strata = course.head.roles.strata if step.by_strata else ()
    columns = strata or (course.head.columns[0],)
    found = course.count_distinct(columns)
    keys, sizes = found.keys, found.counts
    if not strata:
        keys, sizes = pl.DataFrame(), np.array([found.n_records], dtype=np.int64)
    share = step.share_of(int(sizes.sum()))
    quotas = quotas_of(sizes, share, rng)
    weight = course.head.roles.weight
    read = tuple(dict.fromkeys([*strata, *([weight] if weight else [])]))
    return SamplePlan(step, position, read, keys, sizes, quotas, share)
