"""A model for each stratum: relations may differ between strata, and sizes are preserved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.errors import InputError
from microveil.synthesis.parts.generator import Fitted, Generator
from microveil.synthesis.parts.training import record_weights
from microveil.tables import Classes, Table

LEAST_STRATUM = 5
"""Smallest number of records for a stratum to have its own model."""


class StrataModel(Fitted):
    """Models of the strata, and the size of each."""

    def __init__(
        self, strata: pl.DataFrame, models: Sequence[Fitted], sizes: NDArray[np.float64]
    ) -> None:
        self.strata, self.models, self.sizes = strata, tuple(models), sizes
        self.facts: Mapping[str, Any] = {"n_strata": len(self.models)}
        names = tuple(strata.columns)
        seen = dict.fromkeys(one for model in models for one in model.modelled)
        self.modelled = tuple((*names, *one) for one in seen)

    @classmethod
    def fit(
        cls,
        generator: Generator,
        table: Table,
        rng: np.random.Generator,
        strata: Sequence[str],
        given: Sequence[str] = (),
    ) -> StrataModel:
        """Fit a model to each stratum of a table."""
        classes = Classes.of(table, strata)
        counts = classes.record_counts
        n_small = int((counts < LEAST_STRATUM).sum())
        if n_small:
            raise InputError(
                "{n_small} of {n_counts} strata have fewer than {least_stratum} records, too "
                "few for a model of their own. Merge strata, or set by_strata to false.",
                n_small=n_small,
                n_counts=len(counts),
                least_stratum=LEAST_STRATUM,
            )
        order = np.argsort(classes.record_class, kind="stable")
        rows = np.split(order, np.cumsum(counts)[:-1])
        rest = [name for name in given if name not in strata]
        models = [generator.fit(table.take(one).drop(strata), rng, rest) for one in rows]
        weight = table.roles.weight
        weights = np.ones(table.height) if weight is None else record_weights(table, weight)
        sizes = np.array([weights[one].sum() for one in rows])
        first = np.array([one[0] for one in rows], dtype=np.int64)
        return cls(table.frame.select(strata)[first], models, sizes)

    def sample(
        self, n: int, rng: np.random.Generator, given: pl.DataFrame | None = None
    ) -> pl.DataFrame:
        """Draw each stratum's share, or for each given record from its stratum."""
        if given is not None:
            return self._sample_given(rng, given)
        quotas = shares_of(n, self.sizes)
        parts = []
        for i, model in enumerate(self.models):
            drawn = model.sample(int(quotas[i]), rng)
            labels = self.strata[[i] * drawn.height]
            parts.append(pl.concat([labels, drawn], how="horizontal"))
        frame = pl.concat(parts)
        return frame[rng.permutation(frame.height)]

    def _sample_given(self, rng: np.random.Generator, given: pl.DataFrame) -> pl.DataFrame:
        numbered = self.strata.with_row_index("__stratum")
        stratum = (
            given.select(self.strata.columns)
            .join(
                numbered,
                on=self.strata.columns,
                how="left",
                nulls_equal=True,
                maintain_order="left",
            )["__stratum"]
            .to_numpy()
        )
        order = np.argsort(stratum, kind="stable")
        parts = []
        for i, model in enumerate(self.models):
            rows = order[stratum[order] == i]
            parts.append(model.sample(len(rows), rng, given[rows].drop(self.strata.columns)))
        return pl.concat(parts)[np.argsort(order, kind="stable")]


def shares_of(n: int, sizes: NDArray[np.float64]) -> NDArray[np.int64]:
    """Whole numbers in proportion to sizes that add up to ``n`` (largest remainders).

    >>> shares_of(10, np.array([1.0, 1.0, 1.0])).tolist()
    [4, 3, 3]
    """
    exact = n * sizes / sizes.sum()
    quotas: NDArray[np.int64] = np.floor(exact + 1e-9).astype(np.int64)
    quotas[np.argsort(quotas - exact, kind="stable")[: n - int(quotas.sum())]] += 1
    return quotas
