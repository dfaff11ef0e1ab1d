"""Inspection: what a table holds, how identifying it is, which roles its columns should have."""

from microveil.app.inspection.result import Caution, ColumnProfile, Inspection, KeySet
from microveil.app.inspection.use_case import inspect

__all__ = ["Caution", "ColumnProfile", "Inspection", "KeySet", "inspect"]
