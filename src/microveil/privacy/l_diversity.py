"""l-diversity."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np
from pydantic import ConfigDict, Field, model_validator

from microveil.privacy.parts.distribution import Distribution, distribution, known_distribution
from microveil.privacy.parts.sensitive import ROUNDING, Judged, SensitiveModel
from microveil.texts import Message, phrase

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.tables import Classes

Kind = Literal["distinct", "entropy", "recursive"]


class LDiversity(SensitiveModel):
    """Every class has l well-represented sensitive values (Machanavajjhala et al. 2007).

    *distinct*: at least l different values. *entropy*: the entropy H of the values is at least log
    l; the value achieved is e^H, the number of equally frequent values with that entropy, so l need
    not be whole. *recursive* (c, l): with counts r₁ ≥ r₂ ≥ … ≥ r_m, r₁ < c·(r_l + r_{l+1} + … +
    r_m); the value achieved is the largest l that holds for c, at least 1. Missing values, empty
    text and trailing blanks do not count as distinct values unless ``missing_counts`` is set: a
    class of flu and unknown reveals flu. An empty table satisfies the model.

    Where people have several linked rows, a person's value is the set of their values. A class in
    which everybody whose value is known shares a value is not diverse at all.

    >>> from microveil.tables import Roles
    >>> wages = {"group": ["a"] * 3 + ["b"] * 3, "wage": [10, 20, 10, 28, 25, 23]}
    >>> roles = Roles(quasi_identifiers=["group"], sensitive=["wage"])
    >>> LDiversity(l=2, column="wage").check(wages, roles).achieved
    2
    >>> round(LDiversity(l=1.8, kind="entropy").check(wages, roles).achieved, 4)
    1.8899
    """

    model: Literal["l_diversity"] = "l_diversity"
    monotone: ClassVar[bool] = True
    better: ClassVar[Literal["higher", "lower"]] = "higher"
    model_config = ConfigDict(serialize_by_alias=True)

    l: int | float = Field(gt=1)  # noqa: E741  the model's own letter
    """Number of well-represented values; whole unless the kind is entropy."""
    variant: Kind = Field(default="distinct", alias="kind")
    """What counts as well represented: ``distinct``, ``entropy`` or ``recursive``."""
    c: float | None = Field(default=None, gt=0)
    """How far the most frequent value may outweigh the rare ones; for ``recursive`` only."""
    missing_counts: bool = False
    """Whether a missing value counts like any other, and trailing blanks make ``flu`` another
    value."""

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        if self.variant != "entropy" and self.l != int(self.l):
            raise ValueError(
                phrase(
                    "{variant} l-diversity counts values: l must be a whole number",
                    variant=self.variant,
                )
            )  # so that pydantic lists it with the recipe's other problems
        if (self.c is not None) != (self.variant == "recursive"):
            raise ValueError("recursive l-diversity needs c, and no other kind takes it")
        return self

    @property
    def title(self) -> str:
        """The requirement in words."""
        if self.variant == "recursive":
            return Message(
                "title.recursive_diversity",
                "recursive ({c:g}, {l:g})-diversity",
                c=self.c,
                l=self.l,
            )
        if self.variant == "entropy":
            return Message("title.entropy_diversity", "entropy {l:g}-diversity", l=self.l)
        return Message("title.diversity", "distinct {l:g}-diversity", l=self.l)

    @property
    def required(self) -> float:
        """Number of values each class needs."""
        return int(self.l) if self.l == int(self.l) else self.l

    def _judge_column(self, classes: Classes, column: str) -> Judged:
        read = distribution if self.missing_counts else known_distribution
        return self.judge(read(classes, column))

    def judge(self, found: Distribution) -> Judged:
        """Number of well-represented values in each class."""
        if self.variant == "distinct":
            reached: NDArray[np.float64] | NDArray[np.int64] = distinct_values(found)
        elif self.variant == "entropy":
            reached = effective_values(found)
        else:
            reached = recursive_levels(found, self.c or 0)
        return Judged(reached, reached < self.l * (1 - ROUNDING))


def distinct_values(found: Distribution) -> NDArray[np.int64]:
    """Number of different values in each class; 1 where everybody shares one."""
    return np.where(found.common, 1, np.diff(found.starts, append=len(found.classes)))


def effective_values(found: Distribution) -> NDArray[np.float64]:
    """Number of equally frequent values that would have each class's entropy: e^H.

    Exactly the number of values where all are equally frequent, so that rounding never makes such a
    class miss a whole l.
    """
    reached = np.exp(found.per_class(-found.shares * np.log(found.shares)))
    distinct = np.diff(found.starts, append=len(found.classes))
    largest = found.largest(found.counts.astype(np.float64))
    exact = np.where(largest * distinct == found.sizes, distinct, reached)
    return np.where(found.common, 1.0, exact)


def recursive_levels(found: Distribution, c: float) -> NDArray[np.int64]:
    """Largest l of each class for which r₁ < c·(r_l + … + r_m); 1 where there is none."""
    top, tails, classes = _rank(found)
    # The limit itself fails, so a value that cannot be distinguished from it fails too.
    enough = top[classes] < c * tails * (1 - ROUNDING)
    reached = np.maximum(np.bincount(classes[enough], minlength=found.n_classes), 1)
    return np.where(found.common, 1, reached)


def recursive_ratios(found: Distribution, rank: int = 2) -> NDArray[np.float64]:
    """r₁ / (r_l + … + r_m) in each class (l = rank), which c must exceed; infinite without r_l."""
    top, tails, classes = _rank(found)
    position = np.arange(len(classes)) - found.starts[classes]
    tail = np.zeros(found.n_classes)
    at_rank = position == rank - 1
    tail[classes[at_rank]] = tails[at_rank]
    with np.errstate(divide="ignore"):
        return np.where(found.common, np.inf, top / tail)


def _rank(
    found: Distribution,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Largest count of each class, and the tail sum at each count, in descending order."""
    order = np.lexsort((-found.counts, found.classes))
    counts, classes = found.counts[order], found.classes[order]
    before = np.cumsum(counts) - counts
    tails = found.sizes[classes] - (before - before[found.starts][classes])
    return counts[found.starts], tails, classes
