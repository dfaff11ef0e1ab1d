"""Where a table stands, recounted row by row; nothing here comes from the library."""

from __future__ import annotations

import math
from typing import Any

from tests.verifier.seen import Seen


def recounted(seen: Seen, acceptable: int) -> dict[str, Any]:
    """The numbers that surfaces show of one set of keys."""
    heads = sum(group.count for group in seen.groups)
    alone = [row for group in seen.groups if group.size == 1 for row in group.own]
    few = sum(len(group.own) for group in seen.groups if group.size < acceptable)
    found: dict[str, Any] = {
        "n_records": len(seen.rows),
        "n_classes": len(seen.groups),
        "k": min((group.size for group in seen.groups), default=0),
        "n_unique": len(alone),
        "average_risk": math.fsum(group.count / group.size for group in seen.groups) / heads,
        "n_below_acceptable": few,
        "n_all_missing": sum(
            all(cell is None for cell in seen.key(row)) for row in range(len(seen.rows))
        ),
    }
    if seen.people is not None:
        found["n_people"] = len(set(seen.people))
        found["n_unique_people"] = len({seen.people[row] for row in alone})
    return found
