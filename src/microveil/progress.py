"""Progress: how long work tells a watcher how far it is."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called now and then with how much is done, of how much, and what is going on."""

    def __call__(self, done: float, total: float, what: str) -> None:
        """Take the news; must be cheap and must not raise."""


def silent(done: float, total: float, what: str) -> None:
    """Tell nobody."""
