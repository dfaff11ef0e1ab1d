"""What a figure takes from its argument: a release, a comparison, or the part itself."""

from __future__ import annotations

from typing import Any

from microveil.errors import InputError
from microveil.risk import Assessment
from microveil.scores import Score


def assessment_of(result: Any) -> Assessment:
    """The assessment itself, or that of the released table of a Release or Comparison."""
    for found in (result, getattr(result, "after", None), getattr(result, "risk", None)):
        if isinstance(found, Assessment):
            return found
    raise InputError("This figure takes an Assessment, a Release or a Comparison.")


def assessments_of(first: Any, second: Any = None) -> tuple[Assessment, Assessment]:
    """Assessments before and after: as passed, or those of a Release or Comparison."""
    if second is not None:
        return assessment_of(first), assessment_of(second)
    for name in ("before", "risk_before"):
        found = getattr(first, name, None)
        if isinstance(found, Assessment):
            return found, assessment_of(first)
    raise InputError("This figure takes two Assessments, a Release or a Comparison.")


def score_of(result: Any, measure: str) -> Score:
    """The score itself, or that of the measure in a Release or Comparison."""
    if isinstance(result, Score) and result.measure == measure:
        return result
    if isinstance(result, Score):
        raise InputError(
            "This figure needs the score `{measure}`, not `{measure_2}`.",
            measure=measure,
            measure_2=result.measure,
        )
    utility = getattr(result, "utility", None) or {}
    if measure not in utility:
        raise InputError(
            "This figure needs the score `{measure}`, which is missing.", measure=measure
        )
    found: Score = utility[measure]
    return found
