"""The cell-key method: noise that depends on who is in a cell, and on nothing else."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Literal, Self

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from microveil.arrays import Flags, Floats, Longs
from microveil.errors import InputError
from microveil.hierarchies.text_files import find
from microveil.methods.parts.secret_keys import read_key
from microveil.specs import Spec
from microveil.tables.roles import Columns
from microveil.tabulation.cells import Cells
from microveil.tabulation.counted import KEY_SCALE
from microveil.tabulation.protections.cell_keys.magnitudes import MagnitudeNoise
from microveil.tabulation.protections.cell_keys.noise_table import NoiseTable
from microveil.tabulation.sources.record_keys import hash_record_keys, read_record_keys


class CellKeys(Spec):
    """Add noise to every count and sum, the same for the same people in every table.

    Each record has a key; the fractional part of their sum is the key of a cell, and selects its
    noise from a perturbation table (Fraser & Wooton 2005). Totals are no longer sums of their
    parts. A mean is the perturbed sum over the perturbed count: a true mean beside a perturbed
    count would give the true count back.
    """

    tag: ClassVar[str | None] = "protection"
    protection: Literal["cell_keys"] = "cell_keys"
    record_key: str | None = None
    """Column with a record key between 0 and 1."""
    identified_by: Columns = ()
    """Columns that identify a record: keys are hashed from them with the secret key."""
    table: str | None = None
    """File of a perturbation table, as ptable or τ-Argus write it, in place of what follows."""
    deviation: int = Field(default=5, ge=1, le=50)
    """Largest change of a count."""
    variance: float = Field(default=3.0, gt=0)
    """Variance of the noise."""
    smallest: int = Field(default=2, ge=0)
    """Positive counts up to this never appear."""
    stay: float | None = Field(default=None, ge=0, lt=1)
    """Probability that a count stays as it is."""
    monotone: bool = True
    """Whether larger changes are never likelier than smaller ones."""
    magnitudes: MagnitudeNoise = MagnitudeNoise()
    """Noise of sums, by their largest contributions."""

    @model_validator(mode="after")
    def _keyed(self) -> Self:
        if (self.record_key is None) == (not self.identified_by):
            msg = "name a `record_key` column, or the columns a record is `identified_by`"
            raise ValueError(msg)
        return self

    def key_reader(self) -> Callable[[pl.DataFrame], Longs]:
        """What gives each record of a frame its key: read, or hashed with the secret key."""
        if self.record_key is not None:
            return partial(read_record_keys, column=self.record_key)
        secret = read_key("MICROVEIL_KEY")
        return partial(hash_record_keys, columns=self.identified_by, secret=secret)

    def noise_table(self) -> NoiseTable:
        """The perturbation table of these parameters, or of the file."""
        if self.table is not None:
            return NoiseTable.read(find(self.table))
        return NoiseTable.of(
            deviation=self.deviation,
            variance=self.variance,
            smallest=self.smallest,
            stay=self.stay,
            monotone=self.monotone,
        )

    def perturb(self, cells: Cells, unsafe: Flags) -> tuple[Floats, Floats]:
        """What is published of each cell, and its perturbed number of records."""
        if any(table.tabulation.cells is not None for table in cells.tables):
            raise InputError(
                "The cell-key method needs records: an aggregated table does not say who is in a "
                "cell."
            )
        n = cells.n_records.astype(np.float64)
        counts = n + self.noise_table().look_up(cells.n_records, cells.keys / KEY_SCALE)
        if cells.tables[0].tabulation.shown_statistic == "count":
            mean_weight = np.divide(cells.values, n, out=np.ones(len(n)), where=n > 0)
            return counts * mean_weight, counts
        return self.magnitudes.perturb(cells, unsafe), counts
