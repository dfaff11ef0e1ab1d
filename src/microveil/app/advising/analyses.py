"""Analyses: what will be computed from a release, and how far it would come out wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from microveil.errors import InputError
from microveil.measures.base import UtilityMeasure
from microveil.measures.subject import Subject
from microveil.measures.taking import score_of
from microveil.scores import Score
from microveil.specs import Spec
from microveil.tables.roles import Columns
from microveil.texts import phrase
from microveil.utility import ConfidenceOverlap, Prediction, TableCounts

NEEDED: Mapping[str, tuple[str, ...]] = {
    "table": ("by",),
    "means": ("of", "by"),
    "regression": ("target", "predictors"),
    "prediction": ("target",),
}
"""Fields that each analysis needs."""
LEARNT, COUNTED = 2e-6, 3e-7
"""Units of work per cell: to learn a model, and to count or average."""


class Analysis(Spec):
    """One analysis that the readers of a release will make, and must be able to trust.

    ``table``: counts ``by`` some columns; the loss is the share of records in a wrong cell.
    ``means``: means ``of`` columns in groups ``by`` others; the loss is what their confidence
    intervals do not overlap. ``regression``: coefficients of ``predictors`` for a ``target``,
    likewise. ``prediction``: a model of the ``target``; the loss is the share of records for which
    it says something else. All losses are from 0 to 1, and a column that is gone loses 1.

    >>> Analysis(analysis="table", by=["sex", "age"]).columns
    ('sex', 'age')
    """

    analysis: Literal["table", "means", "regression", "prediction"]
    """What is computed."""
    by: Columns = ()
    """Columns that a table counts by, or that means are grouped by."""
    of: Columns = ()
    """Columns of numbers whose means are computed."""
    target: str | None = None
    """Column that a regression explains or a model predicts."""
    predictors: Columns = ()
    """Columns of numbers that explain the target of a regression."""
    weight: float = Field(default=1.0, gt=0, le=1e6)
    """How much the analysis matters, beside the others."""
    at_least: float | None = Field(default=None, ge=0, le=1)
    """Smallest acceptable quality, 1 minus the loss."""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        lacking = [name for name in NEEDED[self.analysis] if not getattr(self, name)]
        if lacking:
            raise ValueError(
                phrase(
                    "An analysis `{analysis}` needs {lacking:quoted}.",
                    analysis=self.analysis,
                    lacking=lacking,
                )
            )
        known = ("by", "of", "target", "predictors")
        idle = [n for n in known if getattr(self, n) and n not in NEEDED[self.analysis]]
        if idle:
            raise ValueError(
                phrase(
                    "An analysis `{analysis}` does not use {idle:quoted}.",
                    analysis=self.analysis,
                    idle=idle,
                )
            )
        return self

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that it reads."""
        target = () if self.target is None else (self.target,)
        return tuple(dict.fromkeys((*self.by, *self.of, *target, *self.predictors)))

    @property
    def title(self) -> str:
        """The analysis in a few words."""
        if self.analysis == "table":
            return f"table by {', '.join(self.by)}"
        if self.analysis == "means":
            return f"means of {', '.join(self.of)} by {', '.join(self.by)}"
        if self.analysis == "regression":
            return f"regression of {self.target} on {', '.join(self.predictors)}"
        return f"prediction of {self.target}"

    @property
    def cost(self) -> float:
        """Units of work per cell, of as many records as models are fitted to."""
        return LEARNT if self.analysis == "prediction" else COUNTED

    @property
    def measure(self) -> UtilityMeasure:
        """The measure that it is judged by."""
        if self.analysis == "table":
            return TableCounts(columns=self.by, only_inner_cells=True)
        if self.analysis == "means":
            return ConfidenceOverlap(columns=self.of, by=self.by)
        if self.analysis == "regression":
            named = dict.fromkeys((*self.predictors, str(self.target)))
            return ConfidenceOverlap(
                columns=tuple(named), target=self.target, predictors=self.predictors
            )
        return Prediction.parse({"name": "prediction", "target": self.target})

    def loss(self, subject: Subject) -> float:
        """How far the analysis of the release is off, from 0 to 1; 1 if it cannot be made."""
        if not set(self.columns) <= set(subject.released.columns):
            return 1.0
        try:
            score = score_of(self.measure, subject)
        except InputError:
            return 1.0
        return min(max(self._loss_in(score, subject), 0.0), 1.0)

    def _loss_in(self, score: Score, subject: Subject) -> float:
        if self.analysis == "table":
            original = subject.original
            weights = None if original is None else original.roles.weight
            total = float(subject.released.height if original is None else original.height)
            if original is not None and weights is not None:
                total = float(original.frame[weights].sum() or 0.0)
            moved = float(score.parts["absolute"]) * int(score.parts["n_cells"]) / 2
            return moved / total if total else 0.0
        if self.analysis == "means":
            return 1 - float(score.parts.get("group_mean_overlap", 0.0))
        if self.analysis == "regression":
            return 1 - float(score.parts.get("coefficient_overlap", 0.0))
        return score.value

    def to_dict(self) -> dict[str, Any]:
        """Plain data, without what is at its default."""
        plain = self.model_dump(mode="json", exclude_defaults=True)
        return {"analysis": self.analysis} | plain
