"""Draws: which random numbers are for choosing, and which for what is reported.

The best of many recipes owes part of its lead to luck. What it is chosen by and what is reported
about it therefore come from different draws, of the steps and of the attacks.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from microveil.methods.parts.streams import fresh_seed

N_CONFIRMING = 3
"""Attacks with other targets that a recipe on offer must withstand."""


@dataclass(frozen=True)
class Draws:
    """The seeds of one search, all derived from the caller's."""

    seed: int = field(repr=False)

    @classmethod
    def of(cls, seed: int | None) -> Draws:
        """From the caller's seed, or an unknown one."""
        return cls(fresh_seed(seed))

    @property
    def choosing(self) -> int:
        """For the steps of recipes that are compared."""
        return self._derive("steps")

    @property
    def attacking(self) -> int:
        """For the targets of attacks on recipes that are compared."""
        return self._derive("attacks")

    @property
    def sampling(self) -> int:
        """For the records of the samples."""
        return self._derive("samples")

    @property
    def confirming(self) -> tuple[int, ...]:
        """For the targets of attacks on recipes that are offered."""
        return tuple(self._derive(f"confirm {number}") for number in range(N_CONFIRMING))

    def _derive(self, use: str) -> int:
        text = f"{self.seed}/advise/{use}".encode()
        return int.from_bytes(hashlib.sha256(text).digest()[:8], "big")
