"""Shared by private generators: budget, declared columns, noise, and drawing from the model."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from microveil.errors import InputError
from microveil.statistics.zcdp import zcdp_rho
from microveil.synthesis.parts.generator import Fitted, Generator
from microveil.synthesis.private.accounting import Spending
from microveil.synthesis.private.coding import CodedColumn, coded_columns, encode_declared
from microveil.synthesis.private.compression import Compression
from microveil.synthesis.private.domain import Domain, check_domain
from microveil.synthesis.private.drawing import draw_records
from microveil.synthesis.private.inference import MarginalModel
from microveil.synthesis.private.marginals import CodedTable
from microveil.synthesis.private.noise import InsecureNoise, Noise, SecureNoise
from microveil.tables import Table

if TYPE_CHECKING:
    from microveil.synthesis.private.evidence import Evidence
    from microveil.synthesis.trust_map import TrustMap


@dataclass(frozen=True, eq=False)
class PrivateModel:
    """What a private mechanism has learnt; all of it is a function of noisy answers."""

    model: MarginalModel
    compression: Compression
    evidence: Evidence
    """Measurements and selections, from which errors can be estimated at no cost."""


@dataclass(frozen=True)
class Mechanism:
    """A budget and a source of noise."""

    spending: Spending
    noise: Noise


class PrivateGenerator(Generator):
    """A generator with differential privacy: neighbours differ by one record, added or removed.

    With ``rows_per_entity`` they differ by all rows of one entity. What costs ρ for one row costs
    at most r²·ρ for r rows (Bun and Steinke 2016), so that rows get a share of 1 / r² of the
    budget. The table passed to ``fit`` must have at most so many rows of each.
    """

    private: ClassVar[bool] = True
    needs_domain: ClassVar[bool] = True

    epsilon: float = Field(gt=0, le=1000)
    """Privacy loss ε of the synthetic records, whatever is done with them."""
    delta: float = Field(default=1e-9, gt=0, lt=1)
    """Probability δ that the loss is larger; well below one over the number of records."""
    domain: Domain = Field(default_factory=dict)
    """Possible values of each column, from public knowledge: a list of values,
    `{low:, high:, bins:}` for numbers and dates, or a number of codes from 0 on."""
    rows_per_entity: int | None = Field(default=None, ge=1)
    """Rows of one entity (or household) that count, the first ones; needed with such a role. ε then
    holds for all rows of one together."""
    insecure: bool = False
    """Draw noise that the seed reproduces, for tests only: the seed would reveal the data."""

    @abstractmethod
    def learn(self, table: CodedTable, mechanism: Mechanism) -> PrivateModel:
        """Spend the budget on a model of coded records."""

    def fit(self, table: Table, rng: np.random.Generator, given: Sequence[str] = ()) -> Fitted:
        """Model all columns of a table; time and memory hardly depend on the number of rows."""
        if given:
            raise InputError(
                "'{kind}' models all columns jointly: it cannot draw some given others.",
                kind=self.kind(),
            )
        frame = table.frame
        check_domain(self.domain, frame.columns, self.kind())
        columns = coded_columns(frame, self.domain)
        # The columns with most values last: tables are then read along long rows.
        order = sorted(range(len(columns)), key=lambda one: columns[one].size)
        codes = encode_declared(frame, columns)[order]
        coded = CodedTable(codes, tuple(columns[one].size for one in order))
        noise: Noise = InsecureNoise(rng) if self.insecure else SecureNoise()
        rows = self.rows_per_entity or 1
        mechanism = Mechanism(Spending(zcdp_rho(self.epsilon, self.delta) / rows**2), noise)
        learnt = self.learn(coded, mechanism)
        named = {frame.columns[one]: columns[one] for one in order}
        return PrivateFitted(learnt, named, frame.columns, _facts(self, mechanism.spending, learnt))


class PrivateFitted(Fitted):
    """A private model and how its codes become cells."""

    n_records: int
    """Estimated number of records: the true one is secret."""

    def __init__(
        self,
        learnt: PrivateModel,
        columns: Mapping[str, CodedColumn],
        shown: Sequence[str],
        facts: Mapping[str, Any],
    ) -> None:
        """Store the columns in the model's order, and their names in the table's."""
        self.learnt, self.columns, self.facts = learnt, columns, facts
        self.names, self.shown = tuple(columns), tuple(shown)
        self.n_records = max(round(learnt.model.total), 1)
        self.modelled = tuple(
            tuple(self.names[column] for column in one.columns)
            for one in learnt.evidence.measurements
        )

    def trust_map(self) -> TrustMap:
        """Which relations were measured, implied or lost: from the noisy answers alone."""
        from microveil.synthesis.private.self_assessment import private_trust_map

        return private_trust_map(self)

    def sample(
        self, n: int, rng: np.random.Generator, given: pl.DataFrame | None = None
    ) -> pl.DataFrame:
        """Draw ``n`` records in random order."""
        if given is not None:
            raise InputError("A private model draws all columns and cannot condition on some.")
        codes = self.learnt.compression.back(draw_records(self.learnt.model, n, rng), rng)
        codes = codes[:, rng.permutation(n)]
        cells = [
            column.decode(row, rng)
            for column, row in zip(self.columns.values(), codes, strict=True)
        ]
        return pl.DataFrame(cells).select(self.shown)


def _facts(generator: PrivateGenerator, spending: Spending, learnt: PrivateModel) -> dict[str, Any]:
    return {
        "epsilon": generator.epsilon,
        "delta": generator.delta,
        "rho": float(spending.total * (generator.rows_per_entity or 1) ** 2),
        **(
            {}
            if generator.rows_per_entity is None
            else {"rows_per_entity": generator.rows_per_entity}
        ),
        "budget_shares": spending.shares(),
        "insecure": generator.insecure,
        "n_marginals": len(learnt.evidence.measurements),
        "n_cells": learnt.model.propagation.n_cells,
    }


def estimated_total(sums: Sequence[float], sizes: Sequence[int]) -> float:
    """Number of records from the columns' noisy sums; sums of fewer counts have less noise."""
    weights = 1 / np.asarray(sizes, dtype=np.float64)
    return max(float(weights @ np.asarray(sums) / weights.sum()), 1.0)
