"""Suggest a recipe for an unknown table: tried out before it is shown."""

from microveil.app.suggesting.grounds import (
    AUDIENCES,
    K_BY_AUDIENCE,
    Audience,
    Ground,
    ground_for,
)
from microveil.app.suggesting.proposal import ColumnLoss, Proposal
from microveil.app.suggesting.use_case import default_ground, n_people, propose, suggest

__all__ = [
    "AUDIENCES",
    "K_BY_AUDIENCE",
    "Audience",
    "ColumnLoss",
    "Ground",
    "Proposal",
    "default_ground",
    "ground_for",
    "n_people",
    "propose",
    "suggest",
]
