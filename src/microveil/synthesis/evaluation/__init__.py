"""Evaluation: the utility of a synthetic table, and what it discloses, in one table."""

from microveil.synthesis.evaluation.result import EvaluationRow, SynthesisEvaluation
from microveil.synthesis.evaluation.table import evaluate

__all__ = ["EvaluationRow", "SynthesisEvaluation", "evaluate"]
