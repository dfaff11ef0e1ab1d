"""(α, k)-anonymity."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, Field

from microveil.errors import InputError
from microveil.privacy.parts.sensitive import ROUNDING, Judged, SensitiveModel
from microveil.tables.values import as_text
from microveil.texts import Message

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.privacy.parts.base import Check
    from microveil.privacy.parts.distribution import Distribution
    from microveil.tables import Classes


def _texts(raw: object) -> object:
    many = raw if isinstance(raw, list | tuple) else (raw,)
    return tuple(str(one).lower() if isinstance(one, bool) else str(one) for one in many)


class AlphaKAnonymity(SensitiveModel):
    """Every class has at least k records, and no sensitive value has a share above α in a class.

    Wong, Li, Fu & Wang 2006: the simple form bounds chosen values, the general form all values. A
    missing value counts as a value of its own. A chosen value that does not occur violates nothing.

    >>> from microveil.tables import Roles
    >>> people = {"sex": ["f", "f", "f", "m", "m"], "ill": ["flu", "flu", "no", "no", "flu"]}
    >>> roles = Roles(quasi_identifiers=["sex"], sensitive=["ill"])
    >>> check = AlphaKAnonymity(alpha=0.5, k=2).check(people, roles)
    >>> round(check.achieved, 3), check.n_broken
    (0.667, 3)
    """

    model: Literal["alpha_k_anonymity"] = "alpha_k_anonymity"
    monotone: ClassVar[bool] = True
    alpha: float = Field(gt=0, le=1)
    """Largest share that a sensitive value may have in a class."""
    k: int = Field(ge=1)
    """Smallest number of records that may share their quasi-identifiers."""
    value: Annotated[
        tuple[str, ...], BeforeValidator(_texts, json_schema_input_type=str | tuple[str, ...])
    ] = ()
    """Sensitive value or values that α bounds, written as text; by default every value."""

    @property
    def title(self) -> str:
        """The requirement in words."""
        return Message(
            "title.alpha_anonymity", "({alpha:g}, {k})-anonymity", alpha=self.alpha, k=self.k
        )

    @property
    def required(self) -> float:
        """Largest share allowed."""
        return self.alpha

    def verify(self, classes: Classes) -> Check:
        """Check the shares, then the class sizes."""
        check = super().verify(classes)
        broken_in = np.union1d(check.broken_in, np.flatnonzero(classes.sizes < self.k))
        return replace(
            check,
            broken_in=broken_in,
            n_broken=int(classes.record_counts[broken_in].sum()),
            parts={**check.parts, "alpha": check.achieved, "k": classes.k},
            wording=(
                Message(
                    "title.required_share_most_records",
                    "required a share of at most {alpha:g} and {k} records, reached {achieved:.6g} "
                    "and {k_2}",
                    alpha=self.alpha,
                    k=self.k,
                    achieved=check.achieved,
                    k_2=classes.k,
                )
            ),
        )

    def judge(self, found: Distribution) -> Judged:
        """Largest share of a value in each class."""
        single = found if found.single is None else found.single
        shares = np.where(self._flag_values(single)[single.values], value_shares(found), 0.0)
        reached = single.largest(shares)
        return Judged(reached, reached > self.alpha + ROUNDING)

    def _flag_values(self, found: Distribution) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """Whether α applies to each value."""
        if not self.value:
            return np.ones(found.n_values, dtype=np.bool_)
        if found.labels is None:
            raise InputError(
                "A share of chosen values of column '{column}' needs the values, but only "
                "class counts are available.",
                column=found.column,
            )
        return as_text(found.labels).is_in(list(self.value)).fill_null(False).to_numpy()


def value_shares(found: Distribution) -> NDArray[np.float64]:
    """Share of each value in its class; where people hold several, the share of people with it."""
    single = found if found.single is None else found.single
    shares: NDArray[np.float64] = single.counts / found.sizes[single.classes]
    return shares
