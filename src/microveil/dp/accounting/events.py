"""Events: what was drawn, so that many draws can be accounted for together and tightly."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from microveil.dp.prices.rationals import Rational
from microveil.specs import Spec


class Event(Spec):
    """One noisy release: its kind, and how much of it."""

    mechanism: Literal["gaussian", "laplace", "pure", "delta"]
    """``gaussian`` noise; ``laplace`` noise on one number; any ``pure`` mechanism; a ``delta``."""
    amount: Rational
    """Gaussian: the squared ratio of sensitivity to scale. Laplace and pure: ε. Delta: δ."""
    steps: int = Field(default=1, ge=1)
    """Laplace: the sensitivity in steps of the noise."""
    slack: Rational = Fraction(0)
    """Gaussian: how far the discrete noise may be from the continuous one."""

    if TYPE_CHECKING:  # what callers may pass; what is kept stands above

        def __init__(
            self,
            *,
            mechanism: Literal["gaussian", "laplace", "pure", "delta"],
            amount: Fraction | float | str,
            steps: int = ...,
            slack: Fraction | float | str = ...,
        ) -> None: ...
