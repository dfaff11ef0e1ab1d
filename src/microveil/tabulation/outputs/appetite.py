"""Risk appetite: how careful a project is with what leaves it."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from pydantic import Field

from microveil.errors import SpecError, did_you_mean
from microveil.files.texts import parsed_yaml, read_text
from microveil.specs import Spec
from microveil.texts import phrase


class RiskAppetite(Spec):
    """Limits that outputs must keep, one file per project; the defaults are those of ACRO.

    An empty cell may be published, though, unless a project says otherwise, as ACRO's does.

    >>> RiskAppetite.preset("opensafely").rounding
    5
    """

    threshold: int = Field(default=10, ge=1)
    """Smallest number of people in a published cell."""
    dominance_n: int = Field(default=2, ge=1, le=5)
    """How many of the largest contributors are added up."""
    dominance_k: float = Field(default=90.0, gt=0, lt=100)
    """Largest share in percent that they may hold."""
    p: float = Field(default=10.0, gt=0)
    """How close, in percent, the largest contribution may not be estimated."""
    degrees_of_freedom: int = Field(default=10, ge=0)
    """Smallest number of residual degrees of freedom of a model."""
    rounding: int | None = Field(default=None, ge=2)
    """Base of which every count must be a multiple."""
    zeros: bool = True
    """Whether an empty cell may be published."""

    @classmethod
    def preset(cls, name: str) -> Self:
        """The limits of a known service."""
        if name not in PRESETS:
            raise SpecError(
                [
                    phrase(
                        "No risk appetite '{name}'.{hint} Known: {known}.",
                        name=name,
                        hint=did_you_mean(name, PRESETS),
                        known=", ".join(PRESETS),
                    )
                ]
            )
        return cls(**PRESETS[name])

    @classmethod
    def read(cls, source: str | Path | None) -> Self:
        """The limits of a file, of a preset by its name, or the defaults."""
        if source is None:
            return cls()
        path = Path(source)
        if not path.suffix and not path.exists():
            return cls.preset(str(source))
        raw = parsed_yaml(read_text(path), str(path))
        if isinstance(raw, dict) and "preset" in raw:
            raw = {**PRESETS.get(str(raw["preset"]), {}), **raw}
            raw.pop("preset")
        return cls.parse(raw, str(path))


PRESETS: dict[str, dict[str, int | float]] = {
    "acro": {"zeros": False},
    "opensafely": {"threshold": 8, "rounding": 5},
    "eurostat": {"threshold": 10, "dominance_n": 1, "dominance_k": 50.0},
}
"""ACRO's own defaults; OpenSAFELY redacts counts up to 7 and rounds to 5; the guidelines for
output checking that Eurostat hosts (Bond, Brandt & de Wolf 2015) ask for ten units, ten degrees of
freedom, and that nobody holds half of a cell."""
