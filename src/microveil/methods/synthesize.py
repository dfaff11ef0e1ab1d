"""Replace records, or cells, by ones drawn from a model of the data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from pydantic import Field

from microveil.errors import InputError
from microveil.methods.parts.base import Guarantee, Method, Outcome
from microveil.synthesis.parts.model import SyntheticModel
from microveil.synthesis.parts.settings import SynthesisSettings
from microveil.tables import Missing, Table

if TYPE_CHECKING:
    from microveil.privacy import PrivacyModel


class Synthesize(SynthesisSettings, Method):
    """Replace records by ones drawn from a model of the data, entirely or in part.

    Without ``columns`` every cell is synthetic and no record belongs to anybody (full synthesis).
    With ``columns``, or a ``risk_threshold``, only those cells are redrawn, given the others, which
    are unchanged (partial synthesis). Missing cells are drawn like values. The facts count the
    synthetic records that equal a real one, and how many would by chance, and list the relations
    between columns that were modelled, implied or lost (``trust_map``). Takes the time of the
    generator.

    >>> people = {"sex": ["f", "m"] * 10, "age": range(20, 40)}
    >>> Synthesize(n=50).protect(people, seed=1).shape
    (50, 2)
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("n", "copies")
    method: Literal["synthesize"] = "synthesize"
    copies: int = Field(default=1, ge=1, le=100)
    """Number of synthetic tables to draw; those after the first are parts of the release, named
    ``copy_2`` and so on, for estimates by the combining rules."""

    @property
    def perturbative(self) -> bool:
        """Always: synthetic values belong to nobody."""
        return True

    def touches(self, table: Table) -> tuple[str, ...]:
        """The columns that are drawn."""
        if self.columns:
            return self.columns
        return (
            tuple(table.columns) if self.risk_threshold is None else table.roles.quasi_identifiers
        )

    def guarantee_for(self, table: Table) -> Guarantee | None:
        """ε and δ of a private generator; all columns, and all copies, come from its model."""
        if not self.generator.private or getattr(self.generator, "insecure", False):
            return None
        epsilon, delta = (float(getattr(self.generator, name)) for name in ("epsilon", "delta"))
        rows = getattr(self.generator, "rows_per_entity", None)
        whose = table.roles.household or table.roles.entity
        unit = "one record" if rows is None else f"all rows of one '{whose}'"
        return Guarantee(epsilon, self.touches(table), delta, unit)

    def toward(self, requirements: Sequence[PrivacyModel], missing: Missing = "category") -> Self:
        """Refuse several copies if requirements would be checked on the first alone."""
        if requirements and self.copies > 1:
            raise InputError(
                "Requirements are checked on one table, not on further copies. Draw one copy in "
                "each run, or several without requirements."
            )
        return super().toward(requirements, missing)

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Fit the model, draw from it, and discard it."""
        model = SyntheticModel(self, table, rng)
        first, *others = (model.draw(None, rng) for _ in range(self.copies))
        facts: dict[str, Any] = dict(first.facts)
        trust = model.trust_map(first.table)
        if trust is not None:
            facts["trust_map"] = trust.to_dict()
        if others:
            facts["n_copies"] = self.copies
        parts = {f"copy_{i}": one.table.frame for i, one in enumerate(others, start=2)}
        return Outcome(first.table, facts, parts=parts)
