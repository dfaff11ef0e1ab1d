"""Success rates of attacks, and the excess risk over a reference.

Rates and their errors are Wilson's (1927); the risk is the excess of an attack over a reference,
(attack − reference) / (1 − reference), with errors propagated (Giomi, Boenisch, Wehmeyer & Tasnádi
2023). The reference is the same attack on people who were not used for the release (the control)
or, without them, a naive guess (the baseline).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

from microveil.scores import Score
from microveil.statistics.intervals import Interval, Wilson, wilson


@dataclass(frozen=True)
class Rate:
    """How often attacks succeeded; a success may count in part (1/t if t answers tie)."""

    n_attacks: int
    n_success: float
    confidence: float = 0.95
    n_worth: float | None = None
    """Effective number of independent attacks; by default all."""

    @property
    def share(self) -> float:
        """Successes over attacks; 0 without attacks."""
        return self.n_success / self.n_attacks if self.n_attacks else 0.0

    @property
    def centre(self) -> float:
        """Centre of Wilson's interval: the share shrunk slightly towards one half."""
        return self._wilson.centre

    @property
    def error(self) -> float:
        """Half the length of Wilson's interval."""
        return self._wilson.error

    @property
    def interval(self) -> Interval:
        """Wilson's score interval.

        >>> [round(end, 4) for end in Rate(100, 50).interval]
        [0.4038, 0.5962]
        """
        low = _clip_share(self.centre - self.error) if self.n_success > 0 else 0.0
        all_succeed = self.n_success >= self.n_attacks > 0
        return low, 1.0 if all_succeed else _clip_share(self.centre + self.error)

    @property
    def _wilson(self) -> Wilson:
        n = self.n_attacks if self.n_worth is None else self.n_worth
        return wilson(self.share, n, self.confidence)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for the parts of a score."""
        return {
            "rate": self.share,
            "interval": list(self.interval) if self.n_attacks else None,
            "n_attacks": self.n_attacks,
        }


@dataclass(frozen=True)
class Rates:
    """An attack and its references."""

    attack: Rate
    baseline: Rate
    control: Rate | None = None

    @property
    def against(self) -> str:
        """The reference that the attack is compared with."""
        return "baseline" if self.control is None else "control"

    def risk(self) -> tuple[float, Interval | None]:
        """Excess of the attack, and its interval; None if no attack could be carried out."""
        return excess(self.attack, self.baseline if self.control is None else self.control)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for the parts of a score."""
        risk, interval = self.risk()
        return {
            "risk": risk,
            "interval": None if interval is None else list(interval),
            "against": self.against,
            "attack": self.attack.to_dict(),
            "baseline": self.baseline.to_dict(),
            "control": None if self.control is None else self.control.to_dict(),
            "n_attacks": self.attack.n_attacks,
            "beats_baseline": self.attack.centre > self.baseline.centre + self.baseline.error,
        }

    def score(self, measure: str, **others: Any) -> Score:
        """The risk as a score, with the rates among its parts; ``others`` are further fields."""
        risk, interval = self.risk()
        parts = self.to_dict() | others.pop("parts", {})
        return Score(measure=measure, value=risk, interval=interval, parts=parts, **others)


def excess(attack: Rate, reference: Rate) -> tuple[float, Interval | None]:
    """Excess of an attack over a reference, as a share of the possible gain, within 0 and 1.

    >>> excess(Rate(1000, 0), Rate(1000, 0))[0], excess(Rate(0, 0), Rate(10, 3))
    (0.0, (0.0, None))
    """
    if attack.n_attacks == 0:
        return 0.0, None
    room = 1 - reference.centre
    risk = (attack.centre - reference.centre) / room
    of_attack = attack.error / room
    of_reference = reference.error * (1 - attack.centre) / room**2
    error = sqrt(of_attack**2 + of_reference**2)
    return _clip_share(risk), (_clip_share(risk - error), _clip_share(risk + error))


def _clip_share(share: float) -> float:
    return min(max(share, 0.0), 1.0)
