"""What a synthesis is asked for: the parameters that step and synthesizer share."""

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
    """What is synthesized, by which generator, and what every synthetic record must keep."""

    generator: AnyGenerator = Cart()
    """What records are drawn from: ``cart``, ``boosted``, ``copula``, ``ipso``, ``marginals``,
    ``bootstrap``, or with differential privacy ``mst`` and ``aim``; by name, or with its
    parameters."""
    columns: Columns = ()
    """Columns to synthesize given all others (partial synthesis); all columns unless named."""
    risk_threshold: float | None = Field(default=None, ge=0, lt=1)
    """Synthesize only records whose individual risk is above this, and of them the named columns,
    or else the quasi-identifiers."""
    n: int | None = Field(default=None, ge=1)
    """Records to draw when all columns are synthesized; as many as there are unless given."""
    rules: tuple[Rule, ...] = ()
    """What every synthetic record keeps: ``{when: age < 18, then: {status: single}}``,
    ``{must: start <= finish}``."""
    sums: tuple[Sum, ...] = ()
    """Totals that are the sum of other columns: ``{total: income, parts: [wages, rents]}``."""
    structural_zeros: tuple[Columns, ...] = ()
    """Sets of columns of which only combinations that occur in the data may be drawn."""
    by_strata: bool = True
    """Whether each of the roles' strata has a model of its own and keeps its share."""
    weights: Literal["column", "count"] = "column"
    """What becomes of the roles' weight: a column to be drawn like others, or how much each record
    counts for the model, after which all synthetic records have the same weight."""
    replicated_uniques: Literal["report", "remove"] = "report"
    """What becomes of synthetic records that are unique and equal a unique real one: they are
    counted, or drawn again and at last removed."""

    @model_validator(mode="after")
    def _size_of_a_whole(self) -> Self:
        if self.n is not None and self.risk_threshold is not None:
            raise ValueError("Give n or risk_threshold: partial synthesis keeps all records.")
        return self
