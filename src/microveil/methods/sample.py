"""Keep a random sample of the records."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from microveil.arrays import Flags, Longs
from microveil.errors import ColumnError, InputError
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.households import first_records
from microveil.methods.parts.sampling_units import sampling_units
from microveil.methods.parts.weights import recalibrate
from microveil.tables import Classes, Table


class Sample(Method):
    """Keep a random sample of the records, without replacement and in their order.

    Every record is kept with the same probability, the given share. If that is not a whole number
    of records, the number is rounded up or down at random. If the roles name strata, each
    contributes its proportional part, rounded up or down at random: a small stratum is left out as
    often as its size implies, not always. If the roles name a household or an entity, all its
    records are kept or none.

    A weight in the roles is divided by the probability, so that weighted totals still estimate
    those of the population.

    >>> Sample(share=0.5).protect({"x": range(10)}, seed=1).height
    5
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("adjust_weight", "recalibrate")
    method: Literal["sample"] = "sample"
    share: float | None = Field(default=None, gt=0, le=1)
    """Share of the records to keep: the probability of each."""
    n: int | None = Field(default=None, ge=1)
    """Number of records (or households, or people) to keep, instead of a share."""
    by_strata: bool = True
    """Whether to sample each of the roles' strata separately; has no effect without strata."""
    whole: bool = True
    """Whether the roles' households and entities are kept whole; the share and n then count them.
    One that spans several strata belongs to that of its first record."""
    adjust_weight: bool = True
    """Whether to divide the roles' weight by the probability of being kept."""
    recalibrate: bool = False
    """Whether to rescale the remaining weights so that those of each stratum add up to their
    previous total."""

    @model_validator(mode="after")
    def _one_size(self) -> Self:
        if (self.share is None) == (self.n is None):
            raise ValueError("Give either share or n.")
        return self

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Draw the sample."""
        unit = sampling_units(table, whole=self.whole)
        first = first_records(unit)
        share = self.share_of(len(first))
        stratum = self._strata(table)[first]
        sizes = np.bincount(stratum, minlength=1)
        quotas = quotas_of(sizes, share, rng)
        chosen = _draw_units(stratum, sizes, quotas, rng)[unit]
        facts: dict[str, Any] = {
            "n_records": table.height,
            "n_left_out": int((~chosen).sum()),
            "probability": share,
            "n_strata": len(sizes) if table.height else 0,
            "n_empty_strata": int(((quotas == 0) & (sizes > 0)).sum()),
        }
        if len(first) < table.height:
            facts |= {"n_units": len(first), "n_units_kept": int(quotas.sum())}
        kept = self._adjust_weights(table, chosen, share, facts)
        return Outcome(kept, facts)

    def share_of(self, n_units: int) -> float:
        """The probability of each record, given how many there are."""
        if self.share is not None:
            return self.share
        if self.n is not None and self.n > n_units:
            raise InputError(
                "A sample of {n} cannot be drawn from {n_units} records or households. Ask "
                "for fewer, or for a share.",
                n=self.n,
                n_units=n_units,
            )
        return (self.n or 0) / max(n_units, 1)

    def _strata(self, table: Table) -> Longs:
        names = table.roles.strata if self.by_strata else ()
        if not names:
            return np.zeros(table.height, dtype=np.int64)
        return np.asarray(Classes.of(table, names).record_class, dtype=np.int64)

    def _adjust_weights(
        self, table: Table, chosen: Flags, share: float, facts: dict[str, Any]
    ) -> Table:
        kept, weight = table.filter(chosen), table.roles.weight
        if weight is None:
            return kept
        if self.adjust_weight:
            kept = multiply_weights(kept, weight, 1 / share)
            facts["weight_adjusted"] = weight
        if self.recalibrate:
            kept, n_lost = recalibrate(table, kept, chosen)
            facts |= {"weight_recalibrated": weight, "n_strata_without_weight": n_lost}
        return kept


def quotas_of(sizes: Longs, share: float, rng: np.random.Generator) -> Longs:
    """Whole numbers, each the exact part of its size rounded up or down; on average exact.

    Systematic rounding: quotas are laid end to end, in a random order of the strata, and a stratum
    gets the whole numbers, shifted by one random start, that fall into its part. The total is also
    rounded up or down, and exact if it is whole (Cochran 1977, section 8).
    """
    order = rng.permutation(len(sizes))
    # 0.1 · 30 is 3.0000000000000004 in floating point and means 3.
    ends = np.round(np.cumsum(sizes[order]) * share, 9)
    marks = np.floor(ends + rng.random())
    quotas = np.empty(len(sizes), dtype=np.int64)
    quotas[order] = np.diff(marks, prepend=0.0).astype(np.int64)
    return np.minimum(quotas, sizes)


def _draw_units(stratum: Longs, sizes: Longs, quotas: Longs, rng: np.random.Generator) -> Flags:
    """The units drawn: from each stratum, the first ones in a random order."""
    order = rng.permutation(len(stratum))
    if len(sizes) > 1:
        order = order[np.argsort(stratum[order], kind="stable")]
    starts = np.cumsum(sizes) - sizes
    ordered = stratum[order]
    place = np.arange(len(order)) - starts[ordered]
    chosen = np.zeros(len(stratum), dtype=np.bool_)
    chosen[order] = place < quotas[ordered]
    return chosen


def multiply_weights(table: Table, weight: str, factor: float) -> Table:
    """The table with its weights multiplied."""
    if not table.frame.schema[weight].is_numeric():
        raise ColumnError(
            "Weight column '{weight}' must be numeric. Convert it, or set adjust_weight to false.",
            weight=weight,
        )
    return table.with_columns([table.frame[weight].cast(pl.Float64) * factor])
