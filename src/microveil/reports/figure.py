"""Figure: one picture of a report."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One picture with its description in words."""

    about: str
    """The section it belongs to: ``risk``, ``utility`` or ``columns``."""
    caption: str
    svg: str
