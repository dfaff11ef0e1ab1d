"""δ-presence."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from microveil.populations.population_file import (
    Population,
    in_population,
    looked_up,
    population_of,
)
from microveil.privacy.parts.base import Check, PrivacyModel
from microveil.privacy.parts.sensitive import ROUNDING
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.tables import Classes


class DeltaPresence(PrivacyModel):
    """Whether a member of the population is in the table stays uncertain (Nergiz et al. 2007).

    For each class, the number of records as a share of the people in the population with the same
    quasi-identifiers lies between ``minimum`` and ``maximum``. People whose quasi-identifiers match
    no class are known to be absent, which violates any minimum above 0. A class that does not occur
    in the population violates the model: the table must be a subset of the population, coded in the
    same way. The population is a file, or is given by the sums of the sampling weights.

    >>> from microveil.tables import Classes, Roles, Table
    >>> table = Table({"sex": ["f", "f", "m"]}, Roles(quasi_identifiers=["sex"]))
    >>> town = pl.DataFrame({"sex": ["f"] * 4 + ["m"] * 6})
    >>> DeltaPresence(maximum=0.4).against(Classes.of(table), town).achieved
    0.5
    """

    model: Literal["delta_presence"] = "delta_presence"
    monotone: ClassVar[bool] = True
    minimum: float = Field(default=0.0, ge=0, le=1)
    """Smallest share of a population class that may be in the table."""
    maximum: float = Field(gt=0, le=1)
    """Largest share of a population class that may be in the table."""
    population: str | None = Field(default=None, min_length=1)
    """Path of a population file with the same quasi-identifiers in the same coding; without it,
    the weight column of the roles is used."""

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.minimum > self.maximum:
            raise ValueError(
                "minimum must not exceed maximum"
            )  # so that pydantic lists it with the recipe's other problems
        return self

    def verify(self, classes: Classes) -> Check:
        """Compare the table with its population."""
        rows, notes = (classes, ()) if self.population is None else looked_up(classes)
        found = population_of(rows, self.population, self.kind())
        return replace(self._check(rows, found), notes=notes + found.notes)

    def against(self, classes: Classes, population: pl.DataFrame) -> Check:
        """Check against a given population, whatever ``population`` names."""
        rows, notes = looked_up(classes)
        found = in_population(rows, population)
        return replace(self._check(rows, found), notes=notes + found.notes)

    def _check(self, classes: Classes, population: Population) -> Check:
        with np.errstate(divide="ignore"):
            present = classes.sizes / population.counts
        low, high = self.minimum - ROUNDING, self.maximum + ROUNDING
        broken_in = np.flatnonzero((present < low) | (present > high))
        lowest = 0.0 if population.n_outside else float(present.min(initial=1.0))
        highest = float(present.max(initial=0.0))
        strangers = int((population.counts == 0).sum())
        hint = Message(
            "title.strangers",
            "; {n} classes not in the population, is it coded alike?",
            n=strangers,
        )
        return Check(
            model=self.kind(),
            title=Message(
                "title.presence",
                "({minimum:g}, {maximum:g})-presence",
                minimum=self.minimum,
                maximum=self.maximum,
            ),
            required=self.maximum,
            achieved=highest,
            broken_in=broken_in,
            n_broken=int(classes.record_counts[broken_in].sum()),
            n_records=classes.n_records,
            kept_as_a_whole=classes.n_classes == 0 or lowest >= low,
            parts={"lowest": lowest, "highest": highest},
            wording=Message(
                "title.presence_numbers",
                "required {minimum:g} to {maximum:g}, reached {lowest:.6g} to {highest:.6g}{hint}",
                minimum=self.minimum,
                maximum=self.maximum,
                lowest=lowest,
                highest=highest,
                hint=hint if strangers else "",
            ),
        )
