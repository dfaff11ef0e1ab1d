"""Suggest a recipe for an unknown table: tried out before it is shown."""

from microveil.app.suggesting.proposal import ColumnLoss, Proposal
from microveil.app.suggesting.use_case import default_k, n_people, propose, suggest

__all__ = ["ColumnLoss", "Proposal", "default_k", "n_people", "propose", "suggest"]
