"""The result of an evaluation: one row per measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import polars as pl

from microveil.errors import InputError, did_you_mean
from microveil.synthesis.trust_map import TrustMap

Aspect = Literal["fidelity", "usefulness", "privacy"]


@dataclass(frozen=True)
class EvaluationRow:
    """One measure of a synthetic table."""

    aspect: Aspect
    measure: str
    value: float
    reference: float | None
    """Value of an ideal table: as good as real data, or as harmless as one not trained on them."""
    meaning: str
    """What the value is, and what the reference."""


@dataclass(frozen=True, eq=False)
class SynthesisEvaluation:
    """The utility of a synthetic table, and what it discloses."""

    rows: tuple[EvaluationRow, ...]
    trust_map: TrustMap | None = None
    """Which relations hold; none for tables of one column."""
    skipped: Mapping[str, str] = field(default_factory=dict)
    """Measures that could not be taken, and why."""

    @property
    def frame(self) -> pl.DataFrame:
        """One row per measure."""
        names = ["aspect", "measure", "value", "reference", "meaning"]
        rows = [
            (one.aspect, one.measure, one.value, one.reference, one.meaning) for one in self.rows
        ]
        schema = dict(
            zip(names, [pl.String, pl.String, pl.Float64, pl.Float64, pl.String], strict=True)
        )
        return pl.DataFrame(rows, schema=schema, orient="row")

    def __getitem__(self, measure: str) -> float:
        """Value of one measure."""
        for one in self.rows:
            if one.measure == measure:
                return one.value
        known = [one.measure for one in self.rows]
        raise InputError(
            "The evaluation has no '{measure}'.{hint}",
            measure=measure,
            hint=did_you_mean(measure, known),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        plain: dict[str, Any] = {"measures": self.frame.to_dicts(), "skipped": dict(self.skipped)}
        if self.trust_map is not None:
            plain["trust_map"] = self.trust_map.to_dict()
        return plain
