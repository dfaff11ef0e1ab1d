"""Settings of a running service."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Limits that keep one caller from taking all."""

    requests_per_second: float = 50.0
    """Of one key, over time."""
    burst: int = 200
    """Requests of one key at once."""
    body_bytes: int = 64 * 1024
    """Largest body of a request."""
    seconds: float = 30.0
    """Longest time for one question; it goes on behind, and its answer is stored."""
    rows: int = 10_000
    """Most rows of an answer."""
    history: int = 1000
    """Most questions that a history shows."""
    workers: int = 2
    """Questions that are worked on at once."""
    registry_seconds: float = 1.0
    """How old what is known of keys and data sets may be: a revocation takes this long at most."""
