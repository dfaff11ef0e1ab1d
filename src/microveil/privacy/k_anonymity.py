"""k-anonymity."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import Field

from microveil.privacy.parts.base import Check, PrivacyModel
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.tables import Classes


class KAnonymity(PrivacyModel):
    """Every combination of quasi-identifiers occurs at least k times (Samarati & Sweeney 1998).

    A missing key counts as a value of its own or matches every value, depending on how the classes
    were counted. An empty table satisfies the model, since it describes nobody.

    >>> from microveil.tables import Roles
    >>> KAnonymity(k=2).check({"sex": ["f", "f", "m"]}, Roles(quasi_identifiers=["sex"])).achieved
    1
    """

    model: Literal["k_anonymity"] = "k_anonymity"
    monotone: ClassVar[bool] = True
    k: int = Field(ge=2)
    """Smallest number of records that may share their quasi-identifiers."""

    def verify(self, classes: Classes) -> Check:
        """Count the records in classes smaller than k."""
        broken = np.flatnonzero(classes.sizes < self.k)
        return Check(
            model=self.kind(),
            title=Message("title.anonymity", "{k}-anonymity", k=self.k),
            required=self.k,
            achieved=classes.k,
            broken_in=broken,
            n_broken=int(classes.record_counts[broken].sum()),
            n_records=classes.n_records,
            counts_people=classes.people is not None,
        )
