"""Progress: how long-running work reports how far it is."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called from time to time with the amount done, the total, and a description."""

    def __call__(self, done: float, total: float, what: str) -> None:
        """Report progress; must be cheap and must not raise."""


def silent(done: float, total: float, what: str) -> None:
    """Tell nobody."""
