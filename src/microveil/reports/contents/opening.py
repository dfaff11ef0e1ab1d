"""The report's first sentence: which requirements hold, and what attacks still find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from microveil.privacy import Check
    from microveil.release import Release

RANKS = {"high": 2, "medium": 1}
MOST_KEYS = 6
"""Keys that the sentence names."""


def opening(release: Release, verdicts: Sequence[Mapping[str, Any]]) -> str:
    """Requirements and attacks in one sentence, so that neither is read without the other."""
    head = _requirements(release.checks)
    known = _known(release)
    worst = max(verdicts, key=lambda one: RANKS.get(one["level"], 0), default=None)
    if worst is None:
        return f"{head}{known}."
    if not RANKS.get(worst["level"], 0):
        unsure = [one["question"] for one in verdicts if one["level"] == "unknown"]
        rest = f" ({_and(unsure)} could not be judged)" if unsure else ""
        return f"{head}{known}; attacks on the release found a low risk{rest}."
    found = worst["sentence"]
    link = "; but " if all(check.holds for check in release.checks) else ", and "
    both = ""
    if release.checks and link == "; but ":
        both = (
            " Both are true: a requirement counts records with the same quasi-identifiers; an "
            "attack uses whatever else is known."
        )
    return f"{head}{known}{link}{found[0].lower()}{found[1:]}{both}"


def _requirements(checks: Sequence[Check]) -> str:
    if not checks:
        return "Nothing was required of this release"
    broken = [check.title for check in checks if not check.holds]
    if broken:
        names = list(dict.fromkeys(broken))
        return f"{_and(names)} {'does' if len(names) == 1 else 'do'} not hold"
    names = list(dict.fromkeys(check.title for check in checks))
    return f"{_and(names)} {'holds' if len(names) == 1 else 'hold'}"


def _and(names: Sequence[str]) -> str:
    """Names as people list them.

    >>> _and(["a"]), _and(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _known(release: Release) -> str:
    """What the intruder is assumed to know."""
    keys = release.table.roles.quasi_identifiers
    if not release.recipe.models or not keys:
        return ""
    shown = _and(keys) if len(keys) <= MOST_KEYS else f"the {len(keys)} quasi-identifiers"
    return f" against whoever knows {shown}"
