"""What counts as slower: ratios of CPU beside those that were accepted last."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

ACCEPTED = Path(__file__).parent / "accepted.json"
MAY_VARY = 0.25
"""Share by which a ratio may exceed the accepted one: what two runs on a busy machine differ by."""


class Verdict(NamedTuple):
    """A case beside what was accepted."""

    case: str
    ratio: float | None
    accepted: float | None

    @property
    def slower(self) -> bool:
        """Whether it takes more than accepted; a case without a number is for the reader."""
        if self.ratio is None or self.accepted is None:
            return False
        return self.ratio > self.accepted * (1 + MAY_VARY)

    def __str__(self) -> str:
        """One line of the table."""
        if self.ratio is None:
            return f"{self.case:<36}       –  failed"
        if self.accepted is None:
            return f"{self.case:<36} {self.ratio:7.3f}  new"
        word = "SLOWER" if self.slower else "ok"
        beside = f"accepted {self.accepted:7.3f} ({self.ratio / self.accepted:.2f} ×)"
        return f"{self.case:<36} {self.ratio:7.3f}  {beside} {word}"


def compare(
    ratios: Mapping[str, float | None], accepted: Mapping[str, float]
) -> tuple[list[Verdict], bool]:
    """A verdict per case, and whether all are at most as slow as accepted, and none failed.

    >>> compare({"a": 1.0, "b": 2.0}, {"a": 1.0, "b": 1.0})[1]
    False
    """
    verdicts = [Verdict(case, ratio, accepted.get(case)) for case, ratio in ratios.items()]
    return verdicts, not any(one.slower or one.ratio is None for one in verdicts)


def accepted_ratios(path: Path = ACCEPTED) -> dict[str, float]:
    """The ratios that were accepted last."""
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def accept(ratios: Mapping[str, float | None], path: Path = ACCEPTED) -> None:
    """Keep these ratios, beside those of cases that were not run."""
    known = accepted_ratios(path) | {
        case: round(ratio, 3) for case, ratio in ratios.items() if ratio is not None
    }
    path.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", encoding="utf-8")
