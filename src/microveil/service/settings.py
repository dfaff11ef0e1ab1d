"""Settings of a running service."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Limits that keep one caller from using up the service."""

    requests_per_second: float = 50.0
    """Requests per second and key, on average."""
    burst: int = 200
    """Requests of one key in a burst."""
    body_bytes: int = 64 * 1024
    """Largest request body in bytes."""
    body_seconds: float = 10.0
    """Time within which a request's head, and then its body, must arrive."""
    seconds: float = 30.0
    """Time limit for one request; it continues in the background, and its answer is stored."""
    rows: int = 10_000
    """Largest number of rows of an answer."""
    history: int = 1000
    """Largest number of queries in a history."""
    workers: int = 2
    """Requests processed at the same time."""
    registry_seconds: float = 1.0
    """Maximum age of cached keys and data sets: a revocation takes effect within this time."""
    stop_seconds: float = 3.0
    """How long requests may continue when the service stops; paid answers are stored as far as
    that suffices, and otherwise computed again at no further cost."""
