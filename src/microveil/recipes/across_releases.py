"""A requirement on all releases of a source together, for runs with a registry of releases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from microveil.specs import Spec

NAME = "across_releases"


class AcrossReleases(Spec):
    """People in this and earlier releases are alike with k − 1 others in all of them together.

    Two releases can each hide a person among k and show them alone together. Earlier releases are
    in a registry (``run --registry``); without one the requirement cannot be checked, and the run
    is refused.

    >>> AcrossReleases(k=5).to_dict()
    {'model': 'across_releases', 'k': 5}
    """

    tag: ClassVar[str | None] = "model"
    public_parameters: ClassVar[tuple[str, ...]] = ("k", "m")
    model: Literal["across_releases"] = "across_releases"
    k: int = Field(ge=2)
    """Fewest people who are alike in all releases that they are in."""
    m: int | None = Field(default=None, ge=2)
    """Fewest sensitive values that a person's classes have in common (m-invariance)."""

    @classmethod
    def is_meant(cls, raw: object) -> bool:
        """Whether plain data are this requirement: ``{across_releases: {k: 5}}``, or by model."""
        if isinstance(raw, cls):
            return True
        return isinstance(raw, Mapping) and (raw.get("model") == NAME or NAME in raw)

    @classmethod
    def read(cls, raw: Mapping[str, Any] | AcrossReleases) -> AcrossReleases:
        """Parse either form."""
        if isinstance(raw, AcrossReleases):
            return raw
        if NAME not in raw:
            return cls.parse(raw)
        short = raw[NAME]
        return cls.parse({"model": NAME, **short} if isinstance(short, Mapping) else short)
