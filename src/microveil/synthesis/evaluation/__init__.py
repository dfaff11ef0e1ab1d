"""Evaluation: what a synthetic table is good for, and what it gives away, in one table."""

from microveil.synthesis.evaluation.result import EvaluationRow, SynthesisEvaluation
from microveil.synthesis.evaluation.table import evaluate

__all__ = ["EvaluationRow", "SynthesisEvaluation", "evaluate"]
