"""Remove the records of small classes."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field, model_validator

from microveil.arrays import Longs
from microveil.errors import GoalNotReachedError, RolesError
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.class_requirements import Models
from microveil.methods.parts.weights import recalibrate
from microveil.privacy import PrivacyModel
from microveil.risk import acceptable_k
from microveil.tables import Classes, Missing, Table
from microveil.tables.codes import pack
from microveil.tables.missing_keys import matching_sizes
from microveil.tables.roles import Columns
from microveil.texts import Message


class SuppressRecords(Method):
    """Remove the records whose quasi-identifiers fewer than k records share.

    With ``models``, the records of every class that violates one of them are removed as well, until
    all of them hold: l-diversity, t-closeness, k-map. If the roles name scenarios, all their key
    sets are covered. Removing whole classes does not affect other classes, so one pass is enough;
    with models, several key sets, or if a missing key matches everything, a removal may break
    another class, and passes are repeated until none does.
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("missing", "recalibrate")
    method: Literal["suppress_records"] = "suppress_records"
    k: Annotated[int, Field(ge=2)] | Literal["acceptable"] | None = None
    """Smallest number of records that may share their keys; or ``acceptable``: the acceptable k for
    the number of records that are left; optional if models are given."""
    models: Models = ()
    """Privacy models that must hold for every class that is left, such as l-diversity."""
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

    @model_validator(mode="after")
    def _some_goal(self) -> Self:
        if self.k is None and not self.models:
            raise ValueError("Give k, or models that must hold.")
        return self

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  nothing is left to chance
        """Keep the records of classes that are large enough, in their order."""
        key_sets = self._key_sets(table)
        kept = table
        while (smaller := self._one_pass(kept, key_sets)).height < kept.height:
            kept = smaller
        n_gone = table.height - kept.height
        share = self._share_gone(n_gone, table.height, kept.height)
        facts: dict[str, Any] = {"n_suppressed": n_gone, "suppressed_share": share}
        if self.recalibrate and n_gone and table.roles.weight is not None:
            kept, n_lost = recalibrate(table, kept, _still_there(table, kept))
            facts |= {
                "weight_recalibrated": table.roles.weight,
                "n_strata_without_weight": n_lost,
            }
        return Outcome(kept, facts)

    def on_classes(self, table: Table, counts: Longs) -> Outcome | None:
        """The same on distinct rows, unless people are counted or weights are put right."""
        if (
            self.models
            or table.people is not None
            or (self.recalibrate and table.roles.weight is not None)
        ):
            return None
        key_sets, kept = self._key_sets(table), np.ones(table.height, dtype=np.bool_)
        before = -1
        while before != (before := int(kept.sum())):
            for keys in key_sets:
                rows = np.flatnonzero(kept)
                sizes = _sizes(table.frame.select(keys)[rows], counts[rows], self.missing)
                kept[rows] = sizes >= self._least(int(counts[rows].sum()))
        n_gone = int(counts[~kept].sum())
        share = self._share_gone(n_gone, int(counts.sum()), int(counts[kept].sum()))
        return Outcome(table.filter(kept), {"n_suppressed": n_gone, "suppressed_share": share})

    def _share_gone(self, n_gone: int, n_records: int, n_left: int) -> float:
        share = n_gone / n_records if n_records else 0.0
        if self.max_share is not None and share > self.max_share:
            raise GoalNotReachedError(
                Message(
                    "methods.reaching_classes_would_remove",
                    "Reaching classes of {least} would remove {n_gone} of {n_records} records "
                    "({share:%}), more than max_share allows ({max_share:%}). Generalize the "
                    "quasi-identifiers further first, or allow a larger share.",
                    least=self._least(n_left),
                    n_gone=n_gone,
                    n_records=n_records,
                    share=share,
                    max_share=self.max_share,
                )
            )
        return share

    def _least(self, n_records: int) -> int:
        return acceptable_k(n_records) if self.k == "acceptable" else self.k or 1

    def _one_pass(self, table: Table, key_sets: list[tuple[str, ...]]) -> Table:
        for keys in key_sets:
            classes = Classes.of(table, keys, self.missing or "category")
            least = self._least(table.height)
            if classes.k < least:
                table = table.filter(classes.of_records(classes.sizes) >= least)
            for model in self.models:
                table = self._without_broken(table, keys, model)
        return table

    def _without_broken(self, table: Table, keys: tuple[str, ...], model: PrivacyModel) -> Table:
        """The table without the classes that violate a model."""
        classes = Classes.of(table, keys, self.missing or "category")
        check = model.verify(classes)
        if check.holds:
            return table
        if not len(check.broken_in):
            raise GoalNotReachedError(
                Message(
                    "methods.no_class_to_remove",
                    "{model} fails for the table as a whole, and no class is to blame: removing "
                    "records does not help. Generalize the quasi-identifiers further first.",
                    model=check.title,
                )
            )
        broken = np.zeros(len(classes.counts), dtype=np.int64)
        broken[check.broken_in] = 1
        return table.filter(classes.of_records(broken) == 0)

    def _key_sets(self, table: Table) -> list[tuple[str, ...]]:
        if self.columns:
            table.require(self.columns)
            return [self.columns]
        key_sets = [keys for keys in table.roles.key_sets().values() if keys]
        if not key_sets:
            raise RolesError(
                "Step 'suppress_records' needs keys to count by: name quasi_identifiers in "
                "the roles, or columns in the step."
            )
        return key_sets


def _sizes(keys: pl.DataFrame, counts: Longs, missing: Missing | None) -> Longs:
    """Number of records that match those of each row, given the records of each row."""
    packed = pack(keys, keys.columns).values
    _, example, number = np.unique(packed, return_index=True, return_inverse=True)
    sizes = np.bincount(number, weights=counts).astype(np.int64)
    if missing == "wildcard":
        sizes = matching_sizes(keys[example], sizes)
    return sizes[number]


def _still_there(table: Table, kept: Table) -> NDArray[np.bool_]:
    """Which records of a table are in the later one."""
    rows = np.arange(table.height) if table.rows is None else table.rows
    return np.isin(rows, np.arange(kept.height) if kept.rows is None else kept.rows)
