"""Settings of a synthesis: the parameters that step and synthesizer share."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from microveil.specs import Spec
from microveil.synthesis.cart import Cart
from microveil.synthesis.parts.registry import AnyGenerator
from microveil.synthesis.parts.rules import Rule
from microveil.synthesis.parts.sums import Sum
from microveil.tables.roles import Columns


class SynthesisSettings(Spec):
    """What is synthesized, by which generator, and what every synthetic record must satisfy."""

    generator: AnyGenerator = Cart()
    """Generator of the records: ``cart``, ``boosted``, ``copula``, ``ipso``, ``marginals``,
    ``bootstrap``, or with differential privacy ``mst`` and ``aim``; by name, or with its
    parameters."""
    columns: Columns = ()
    """Columns to synthesize given all others (partial synthesis); by default all columns."""
    risk_threshold: float | None = Field(default=None, ge=0, lt=1)
    """Synthesize only records whose individual risk is above this: their named columns, otherwise
    the quasi-identifiers."""
    n: int | None = Field(default=None, ge=1)
    """Records to draw if all columns are synthesized; by default as many as in the original."""
    rules: tuple[Rule, ...] = ()
    """Conditions that every synthetic record satisfies: ``{when: age < 18, then: {status:
    single}}``, ``{must: start <= finish}``."""
    sums: tuple[Sum, ...] = ()
    """Totals that are the sum of other columns: ``{total: income, parts: [wages, rents]}``."""
    structural_zeros: tuple[Columns, ...] = ()
    """Sets of columns of which only combinations that occur in the data may be drawn."""
    by_strata: bool = True
    """Whether each of the roles' strata has its own model and keeps its share."""
    weights: Literal["column", "count"] = "column"
    """How the roles' weight is used: drawn as a column like others, or as the weight of each record
    in the model, after which all synthetic records have the same weight."""
    replicated_uniques: Literal["report", "remove"] = "report"
    """What happens to synthetic records that are unique and equal a unique real one: they are
    counted, or redrawn and finally removed."""

    @model_validator(mode="after")
    def _size_of_a_whole(self) -> Self:
        if self.n is not None and self.risk_threshold is not None:
            raise ValueError("Give n or risk_threshold: partial synthesis keeps all records.")
        return self
