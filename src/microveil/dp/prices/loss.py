"""Loss: how much privacy an answer costs, in exact numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import model_validator

from microveil.dp.prices.rationals import Rational, as_float_above, exact, readable, up
from microveil.errors import InputError
from microveil.specs import Spec

Measure = Literal["pure", "approximate", "zcdp"]

PARTS = ("epsilon", "delta", "rho")


class Loss(Spec):
    """Privacy loss in three currencies at once; losses add up part by part, exactly.

    ``epsilon`` counts pure differential privacy, ``delta`` the probability that this may fail,
    ``rho`` zero-concentrated privacy (Bun & Steinke 2016). A budget, a spend and a price are all
    losses. A loss in one currency alone buys noise of its kind: ``Loss(epsilon="0.5")`` Laplace
    noise, ``Loss(rho="0.01")`` Gaussian noise.

    >>> Loss(epsilon=0.1) + Loss(epsilon=0.2) == Loss(epsilon="0.3")
    True
    """

    epsilon: Rational = Fraction(0)
    """Pure loss ε: no answer is more than e^ε times as likely with one person than without."""
    delta: Rational = Fraction(0)
    """Probability δ with which that guarantee may fail."""
    rho: Rational = Fraction(0)
    """Loss ρ of zero-concentrated differential privacy."""

    if TYPE_CHECKING:  # what callers may pass; what is kept stands above

        def __init__(
            self,
            *,
            epsilon: Fraction | float | str = ...,
            delta: Fraction | float | str = ...,
            rho: Fraction | float | str = ...,
        ) -> None: ...

    @model_validator(mode="after")
    def _is_probability(self) -> Self:
        if self.delta > 1:
            raise ValueError("delta is a probability, at most 1.")
        return self

    @classmethod
    def of(cls, epsilon: Any = 0, delta: Any = 0, rho: Any = 0) -> Loss:
        """A loss from plain numbers; δ is capped at 1, where nothing is guaranteed."""
        one = Fraction(1)
        return cls.model_construct(
            epsilon=exact(epsilon), delta=min(exact(delta), one), rho=exact(rho)
        )

    @property
    def measure(self) -> Measure:
        """The currency: zCDP where ρ is spent, approximate where δ is, else pure."""
        if self.rho:
            return "zcdp"
        return "approximate" if self.delta else "pure"

    @property
    def is_free(self) -> bool:
        """Whether nothing is spent."""
        return not (self.epsilon or self.delta or self.rho)

    def __add__(self, other: Loss) -> Loss:
        """Sequential composition: the losses of two answers from the same rows add up."""
        return Loss.of(*(getattr(self, part) + getattr(other, part) for part in PARTS))

    def __sub__(self, other: Loss) -> Loss:
        """The remaining budget, with no part below zero."""
        zero = Fraction(0)
        return Loss.of(*(max(getattr(self, p) - getattr(other, p), zero) for p in PARTS))

    def __mul__(self, share: Any) -> Loss:
        """A part or a multiple of it."""
        factor = exact(share)
        return Loss.of(*(getattr(self, part) * factor for part in PARTS))

    def fits(self, budget: Loss) -> bool:
        """Whether a budget covers it, part by part."""
        return all(getattr(self, part) <= getattr(budget, part) for part in PARTS)

    def larger(self, other: Loss) -> Loss:
        """The larger of two, part by part: parallel composition over disjoint rows."""
        return Loss.of(*(max(getattr(self, part), getattr(other, part)) for part in PARTS))

    def for_group(self, size: int) -> Loss:
        """The guarantee for a group of people together (Dwork & Roth 2014; Bun & Steinke 2016).

        ε grows with the size, ρ with its square; δ also by the factor e^((size − 1)·ε), rounded up.
        """
        if size < 1:
            raise InputError("A group has at least one member.")
        epsilon, rho = self.epsilon * size, self.rho * size * size
        return Loss.of(epsilon, _group_delta(self, size), rho)

    def __repr__(self) -> str:
        spent = [f"{part}='{getattr(self, part)}'" for part in PARTS if getattr(self, part)]
        return f"Loss({', '.join(spent)})"

    def __str__(self) -> str:
        """The parts that are spent, for people."""
        signs = {"epsilon": "ε", "delta": "δ", "rho": "ρ"}
        spent = [(signs[part], getattr(self, part)) for part in PARTS if getattr(self, part)]
        return ", ".join(f"{sign} = {readable(amount)}" for sign, amount in spent) or "nothing"


def _group_delta(loss: Loss, size: int) -> Fraction:
    if not loss.delta:
        return Fraction(0)
    exponent = as_float_above(loss.epsilon * (size - 1))
    factor = up(math.exp(exponent)) if exponent < 700 else None  # noqa: PLR2004  e^709 overflows
    return Fraction(1) if factor is None else loss.delta * size * factor


def total(losses: Iterable[Loss]) -> Loss:
    """Sequential composition of many."""
    added = Loss()
    for loss in losses:
        added += loss
    return added
