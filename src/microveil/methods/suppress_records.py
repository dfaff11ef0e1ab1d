"""Remove the records of small classes."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from microveil.errors import GoalNotReachedError, RolesError
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.weights import recalibrated
from microveil.risk import acceptable_k
from microveil.tables import Classes, Missing, Table
from microveil.tables.roles import Columns


class SuppressRecords(Method):
    """Remove the records whose quasi-identifiers fewer than k records share.

    If the roles name scenarios, all their key sets are covered. Removing whole classes does not
    affect other classes, so one pass is enough; with several key sets, or if a missing key matches
    everything, a removal may break another class, and passes are repeated until none does.
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("missing", "recalibrate")
    method: Literal["suppress_records"] = "suppress_records"
    k: Annotated[int, Field(ge=2)] | Literal["acceptable"]
    """Smallest number of records that may share their keys; or ``acceptable``: the acceptable k for
    the number of records that are left (:data:`microveil.risk.ACCEPTABLE_K`)."""
    columns: Columns = ()
    """Keys to count by; by default those of the roles (and of their scenarios)."""
    missing: Missing | None = None
    """How a missing key is treated: as a value of its own (category) or as matching any value
    (wildcard); by default as the recipe does, and category outside a recipe."""
    max_share: float | None = Field(default=None, ge=0, le=1)
    """Largest share of the records that may be removed; beyond it the step fails."""
    recalibrate: bool = False
    """Whether to raise the roles' weight so that, in each of the strata, the remaining weights add
    up to the previous total."""

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  nothing is left to chance
        """Keep the records of classes that are large enough, in their order."""
        key_sets = self._key_sets(table)
        kept = table
        while (smaller := self._one_pass(kept, key_sets)).height < kept.height:
            kept = smaller
        n_gone = table.height - kept.height
        share = n_gone / table.height if table.height else 0.0
        if self.max_share is not None and share > self.max_share:
            raise GoalNotReachedError(
                f"Reaching classes of {self._least(kept)} would remove {n_gone} of {table.height} "
                f"records ({share:.1%}), more than max_share allows ({self.max_share:.1%}). "
                "Generalize the quasi-identifiers further first, or allow a larger share."
            )
        facts: dict[str, Any] = {"n_suppressed": n_gone, "suppressed_share": share}
        if self.recalibrate and n_gone and table.roles.weight is not None:
            kept, n_lost = recalibrated(table, kept, _still_there(table, kept))
            facts |= {
                "weight_recalibrated": table.roles.weight,
                "n_strata_without_weight": n_lost,
            }
        return Outcome(kept, facts)

    def _least(self, table: Table) -> int:
        return acceptable_k(table.height) if self.k == "acceptable" else self.k

    def _one_pass(self, table: Table, key_sets: list[tuple[str, ...]]) -> Table:
        for keys in key_sets:
            classes = Classes.of(table, keys, self.missing or "category")
            least = self._least(table)
            if classes.k < least:
                table = table.filter(classes.of_records(classes.sizes) >= least)
        return table

    def _key_sets(self, table: Table) -> list[tuple[str, ...]]:
        if self.columns:
            table.require(self.columns)
            return [self.columns]
        key_sets = [keys for keys in table.roles.key_sets().values() if keys]
        if not key_sets:
            msg = "Step 'suppress_records' needs keys to count by: name quasi_identifiers in the"
            raise RolesError(f"{msg} roles, or columns in the step.")
        return key_sets


def _still_there(table: Table, kept: Table) -> NDArray[np.bool_]:
    """Which records of a table are in the later one."""
    rows = np.arange(table.height) if table.rows is None else table.rows
    return np.isin(rows, np.arange(kept.height) if kept.rows is None else kept.rows)
