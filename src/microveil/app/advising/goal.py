"""Goal: what the best recipe is chosen by."""

from __future__ import annotations

from dataclasses import dataclass

from microveil.app.exploration.axes import Wanted
from microveil.errors import InputError
from microveil.texts import Message

LOSSES = ("generalization_loss", "cell_changes", "entropy_loss", "discernibility", "prediction")
"""Utility measures that the best recipe can be chosen by: all are losses between 0 and 1."""


@dataclass(frozen=True)
class Goal:
    """What the best recipe is chosen by, beside the requirements of the recipe."""

    loss: str = LOSSES[0]
    """Utility measure to minimise."""
    target: str = ""
    """Column that models should predict, for the loss ``prediction``."""
    max_risk: float | None = None
    """Largest average risk."""
    max_loss: float | None = None
    """Largest loss."""
    k: int | None = None
    """k to require where the recipe requires nothing yet."""
    audience: str | None = None
    """Who will read the data: decides about k where neither it nor a requirement is given."""

    @property
    def measure(self) -> Wanted:
        """The utility measure with its parameters."""
        if self.loss not in LOSSES:
            raise InputError("Choose what counts as loss from the list.")
        if self.loss != "prediction":
            return self.loss
        if not self.target:
            raise InputError(
                Message(
                    "app.choose_column_models_should",
                    "Choose the column that models should predict.",
                )
            )
        return {"name": self.loss, "target": self.target}
