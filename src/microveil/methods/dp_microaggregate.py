"""Average groups that hardly depend on any single record, and add noise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field, model_validator

from microveil import noise
from microveil.arrays import Longs
from microveil.errors import InputError
from microveil.methods.parts.base import Guarantee, Method, Outcome
from microveil.methods.parts.columns import SomeColumns, refuse_kinds, usable_frame
from microveil.tables import Classes, Table
from microveil.texts import phrase

STEPS = 2**20
"""Steps between the bounds of a column; their sums are exact."""


class DpMicroaggregate(Method):
    """Replace numbers by noisy group averages, with ε-differential privacy for these columns.

    Records are ordered by their distance from the lower bounds and divided into groups of k, so
    that changing one record shifts every group by at most one record (insensitive microaggregation;
    Soria-Comas, Domingo-Ferrer, Sánchez & Martínez 2014). Laplace noise is then added to each
    group's averages. For one column the shifts of all groups add up to no more than one record's
    own change, so that k records share the noise of one; for several columns use a k of about the
    square root of the number of records, or larger. The noise comes from the operating system's
    random source, so no seed reproduces it. Takes the time of sorting; memory grows with the
    records.

    >>> step = DpMicroaggregate(columns="age", bounds={"age": (0, 100)}, k=2, epsilon=1000)
    >>> step.protect({"age": [31, 29, 60, 80]})["age"].to_list()
    [30, 30, 70, 70]
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("bounds", "k", "epsilon", "rows_per_entity")
    method: Literal["dp_microaggregate"] = "dp_microaggregate"
    columns: SomeColumns
    """Numeric columns that are grouped and averaged together."""
    bounds: Mapping[str, tuple[float, float]]
    """Smallest and largest value of each column, from public knowledge and never from the data;
    values beyond are clamped to them, and missing values replaced by the midpoint."""
    k: int = Field(ge=1)
    """Smallest number of records in a group."""
    epsilon: float = Field(gt=0)
    """Privacy loss ε of a record, for all columns together."""
    rows_per_entity: int = Field(default=1, ge=1)
    """Largest number of rows of one person; ε then covers all of them together."""

    @model_validator(mode="after")
    def _check_bounds(self) -> Self:
        lacking = [name for name in self.columns if name not in self.bounds]
        if lacking:
            raise ValueError(
                phrase(
                    "Column {lacking:quoted} has no bounds. Choose them from what is "
                    "publicly known.",
                    lacking=lacking,
                )
            )
        more = [name for name in self.bounds if name not in self.columns]
        if more:
            raise ValueError(
                phrase(
                    "There are bounds for {more:quoted}, which is not among the columns.", more=more
                )
            )
        if any(not low < high for low, high in self.bounds.values()):
            raise ValueError("A lower bound must be below its upper bound.")
        return self

    @property
    def perturbative(self) -> bool:
        """Always: values are averages with noise."""
        return True

    @property
    def repeatable(self) -> bool:
        """Never: a seed would void the guarantee."""
        return False

    @property
    def guarantee(self) -> Guarantee:
        """ε for all columns of one person together."""
        return Guarantee(self.epsilon, self.columns)

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  see above
        """Group, average and add noise; the facts contain nothing derived from the data."""
        frame = usable_frame(table, self.columns, self.kind())
        refuse_kinds(
            frame,
            self.columns,
            lambda dtype: dtype.is_numeric(),
            "Step 'dp_microaggregate' averages numbers; other columns need other steps.",
        )
        self._check_rows(table)
        codes = np.column_stack([self._codes(frame[name]) for name in self.columns])
        order = _order(codes)
        starts = np.arange(max(len(codes) // self.k, 1), dtype=np.int64) * self.k
        sizes = np.diff(np.append(starts, len(codes)))
        sums = np.add.reduceat(codes[order], starts, axis=0)
        scale = self._scale(len(starts))
        noisy = noise.laplace(sums.ravel(), scale).reshape(sums.shape)
        averages = np.empty(codes.shape)
        averages[order] = np.repeat(noisy / sizes[:, None], sizes, axis=0)
        made = [self._column(frame[name], averages[:, at]) for at, name in enumerate(self.columns)]
        return Outcome(table.with_columns(made), self._facts(sizes, scale))

    def _check_rows(self, table: Table) -> None:
        if table.height < self.k:
            raise InputError(
                "Groups of {k} cannot be formed from {n_records} records in column "
                "{columns:quoted}. Choose a smaller k.",
                k=self.k,
                n_records=table.height,
                columns=self.columns,
            )
        entity = table.roles.entity
        if entity is None:
            return
        most = int(Classes.of(table, [entity]).record_counts.max(initial=0))
        if most > self.rows_per_entity:
            raise InputError(
                "An entity has more rows than the {rows_per_entity} that ε covers. Set "
                "`rows_per_entity` from what is publicly known, and sample the rows down to "
                "it.",
                rows_per_entity=self.rows_per_entity,
            )

    def _codes(self, column: pl.Series) -> Longs:
        low, high = self.bounds[column.name]
        values = column.cast(pl.Float64).fill_nan(None).fill_null((low + high) / 2).to_numpy()
        steps = np.rint((np.clip(values, low, high) - low) / (high - low) * STEPS)
        codes: Longs = np.clip(steps, 0, STEPS).astype(np.int64)
        return codes

    def _scale(self, n_groups: int) -> float:
        """The scale of the noise in a group's sum.

        *Proof.* Let one record change. In the order, the records between its old and its new place
        move by one; each group between loses a record at one end and gains one at the other, so
        each of its sums changes by at most STEPS: n_groups·columns·STEPS in total. With one column
        the order is that of the values, and Σ over groups of |change of the sum| is at most Σ over
        places of |change of the value there|, which is the change of the one record: STEPS. Several
        rows of one person change one after another. ∎
        """
        moved = STEPS if len(self.columns) == 1 else n_groups * len(self.columns) * STEPS
        return float(np.nextafter(moved * self.rows_per_entity / self.epsilon, np.inf))

    def _column(self, before: pl.Series, averages: NDArray[np.float64]) -> pl.Series:
        low, high = self.bounds[before.name]
        values = np.clip(low + averages / STEPS * (high - low), low, high)
        if before.dtype.is_integer():
            inside = np.clip(np.rint(values), np.ceil(low), np.floor(high))
            whole = pl.Series(before.name, inside, dtype=pl.Float64)
            return whole.cast(before.dtype, strict=False)
        made = pl.Series(before.name, values)
        return made.cast(before.dtype) if before.dtype == pl.Float32 else made

    def _facts(self, sizes: Longs, scale: float) -> dict[str, Any]:
        typical = scale / self.k / STEPS
        return {
            "n_groups": len(sizes),
            "smallest_group": int(sizes.min()),
            "largest_group": int(sizes.max()),
            "epsilon": self.epsilon,
            "neighbours": "change_one",
            "noise_scale": {
                name: typical * (high - low) for name, (low, high) in self.bounds.items()
            },
        }


def _order(codes: Longs) -> Longs:
    """Records ordered by distance from the lower bounds; ties by their values alone."""
    distance = (codes * codes).sum(axis=1)
    keys = [codes[:, at] for at in reversed(range(codes.shape[1]))]
    return np.lexsort((*keys, distance)).astype(np.int64)
