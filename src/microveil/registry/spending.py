"""Privacy loss of everything about one source, added up (Dwork et al. 2006)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from microveil.registry.entries import ReleaseEntry

UNITS = ("epsilon", "delta", "rho")


def add_up(
    entries: Iterable[ReleaseEntry], own: Mapping[str, Any] | None = None
) -> dict[str, float]:
    """The sum of ε, δ and ρ over releases, tables and answers; empty if there is none.

    Of the answers to queries, whose budget is noted again and again, the last note counts.
    """
    latest: dict[str, ReleaseEntry] = {}
    for one in entries:
        place = f"queries of {one.source}" if one.kind == "queries" else one.id
        latest[place] = one
    total: dict[str, float] = {}
    for loss in (*(one.privacy_loss for one in latest.values()), own):
        for unit in UNITS:
            spent = (loss or {}).get(unit)
            if isinstance(spent, int | float):
                total[unit] = total.get(unit, 0.0) + float(spent)
    return total
