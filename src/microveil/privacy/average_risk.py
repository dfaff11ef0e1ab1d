"""Average risk."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from microveil.privacy.parts.base import Check, PrivacyModel
from microveil.privacy.parts.sensitive import ROUNDING
from microveil.texts import Message

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.tables import Classes


class AverageRisk(PrivacyModel):
    """The average re-identification risk is bounded, and few records may exceed a limit.

    A record's risk is 1 / its class size. The average over all records, which is the number of
    classes divided by the number of records, is the share that an intruder who links every record
    gets right (marketer risk: Dankar & El Emam 2010). ``record_risk`` and ``record_share`` add the
    rule of health agencies: at most that share of the records may have a risk above that limit.
    When the requirement fails, the classes reported are those whose own risk exceeds the limit.
    Class sizes treat missing keys as the classes were counted.

    >>> from microveil.tables import Roles
    >>> people = {"sex": ["f", "f", "f", "m"]}
    >>> AverageRisk(threshold=0.5).check(people, Roles(quasi_identifiers=["sex"])).achieved
    0.5
    """

    model: Literal["average_risk"] = "average_risk"
    monotone: ClassVar[bool] = True
    threshold: float = Field(gt=0, le=1)
    """Largest average risk."""
    record_risk: float | None = Field(default=None, gt=0, le=1)
    """Risk that only a small share of the records may exceed; by default there is no such rule."""
    record_share: float = Field(default=0.0, ge=0, lt=1)
    """Share of the records that may exceed ``record_risk``."""

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        if self.record_share and self.record_risk is None:
            raise ValueError(
                "record_share needs record_risk, the limit that share may exceed"
            )  # so that pydantic lists it with the recipe's other problems
        return self

    def verify(self, classes: Classes) -> Check:
        """Average the risk over all records, and count the records above the limit."""
        risks = 1 / classes.sizes
        average = classes.average_risk
        broken = np.zeros(classes.n_classes, dtype=np.bool_)
        if average > self.threshold + ROUNDING:
            broken |= risks > self.threshold
        parts, wording = {}, None
        if self.record_risk is not None:
            above = risks > self.record_risk + ROUNDING
            parts["record_share"] = _share(classes, above.astype(np.float64))
            if parts["record_share"] > self.record_share + ROUNDING:
                broken |= above
            wording = Message(
                "title.required_average_most_records",
                "required {threshold:g} on average and at most {record_share:g} of the records "
                "above {record_risk:g}, reached {average:.6g} and {value:.6g}",
                threshold=self.threshold,
                record_share=self.record_share,
                record_risk=self.record_risk,
                average=average,
                value=parts["record_share"],
            )
        broken_in = np.flatnonzero(broken)
        return Check(
            model=self.kind(),
            title=Message(
                "title.average_risk_most",
                "average risk of at most {threshold:g}",
                threshold=self.threshold,
            ),
            required=self.threshold,
            achieved=average,
            broken_in=broken_in,
            n_broken=int(classes.record_counts[broken_in].sum()),
            n_records=classes.n_records,
            parts=parts,
            wording=wording,
        )


def _share(classes: Classes, of_class: NDArray[np.float64]) -> float:
    n = int(classes.counts.sum())
    return float(classes.counts @ of_class) / n if n else 0.0
