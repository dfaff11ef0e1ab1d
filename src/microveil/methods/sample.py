"""Keep a random part of the records."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field, model_validator

from microveil.errors import ColumnError, InputError
from microveil.methods.parts.base import Method, Outcome
from microveil.tables import Classes, Table

Counts = NDArray[np.int64]


class Sample(Method):
    """Keep a simple random sample of the records, without replacement and in their order.

    Where the roles name strata, each gives its proportional part. Where they name a weight, it
    is multiplied by records over records kept, so that weighted totals still estimate the
    population's.

    >>> Sample(share=0.5).protect({"x": range(10)}, seed=1).height
    5
    """

    method: Literal["sample"] = "sample"
    share: float | None = Field(default=None, gt=0, le=1)
    """Share of the records to keep, rounded to whole records."""
    n: int | None = Field(default=None, ge=1)
    """Number of records to keep, instead of a share."""
    by_strata: bool = True
    """Whether to sample each of the roles' strata apart; without strata it makes no difference."""
    adjust_weight: bool = True
    """Whether to raise the roles' weight (of each stratum) by records over records kept."""

    @model_validator(mode="after")
    def _one_size(self) -> Self:
        if (self.share is None) == (self.n is None):
            raise ValueError("Give either share or n.")
        return self

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Draw the sample."""
        n_kept = self._n_kept(table.height)
        strata = table.roles.strata if self.by_strata else ()
        classes = Classes.of(table, strata)
        sizes = classes.record_counts
        quotas = _proportional(sizes, n_kept)
        stratum = classes.record_class if strata else np.zeros(table.height, dtype=np.int64)
        chosen = _chosen(stratum, sizes, quotas, rng)
        kept = table.filter(chosen)
        facts: dict[str, Any] = {
            "n_records": table.height,
            "n_left_out": table.height - kept.height,
            "n_strata": len(sizes),
            "n_empty_strata": int((quotas == 0).sum()),
        }
        if self.adjust_weight and table.roles.weight is not None and n_kept:
            factors = np.divide(sizes, quotas, out=np.ones(len(sizes)), where=quotas > 0)
            kept = _weighted(kept, table.roles.weight, factors[stratum[chosen]])
            facts["weight_adjusted"] = table.roles.weight
        return Outcome(kept, facts)

    def _n_kept(self, n_records: int) -> int:
        if self.share is not None:
            return int(self.share * n_records + 0.5)
        if self.n is not None and self.n > n_records:
            msg = f"A sample of {self.n} cannot be drawn from {n_records} records."
            raise InputError(f"{msg} Ask for fewer, or for a share.")
        return self.n or 0


def _proportional(sizes: Counts, n_kept: int) -> Counts:
    """Whole quotas in proportion to the sizes that add up to ``n_kept`` (largest remainders)."""
    total = int(sizes.sum())
    if not total:
        return np.zeros(len(sizes), dtype=np.int64)
    exact = sizes * (n_kept / total)
    quotas = np.floor(exact + 1e-9).astype(np.int64)
    rest = n_kept - int(quotas.sum())
    by_remainder = np.argsort(quotas - exact, kind="stable")
    quotas[by_remainder[:rest]] += 1
    fitting: Counts = np.minimum(quotas, sizes)
    return fitting


def _chosen(
    stratum: Counts, sizes: Counts, quotas: Counts, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Which records are drawn: of each stratum, the first ones in a random order."""
    order = rng.permutation(len(stratum))
    if len(sizes) > 1:
        order = order[np.argsort(stratum[order], kind="stable")]
    starts = np.cumsum(sizes) - sizes
    ordered = stratum[order]
    place = np.arange(len(order)) - starts[ordered]
    chosen = np.zeros(len(stratum), dtype=np.bool_)
    chosen[order] = place < quotas[ordered]
    return chosen


def _weighted(table: Table, weight: str, factors: NDArray[np.float64]) -> Table:
    if not table.frame.schema[weight].is_numeric():
        msg = f"Weight column '{weight}' must be numbers."
        raise ColumnError(f"{msg} Convert it, or set adjust_weight to false.")
    raised = table.frame[weight].cast(pl.Float64) * pl.Series(factors)
    return table.with_columns([raised.alias(weight)])
