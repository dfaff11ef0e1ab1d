"""Protected tables to write."""

from __future__ import annotations

import microveil as mv
from tests.tabulation.instances import people

COUNTS = {
    ("<a>", "f"): 5, ("<a>", "m"): 1, ("=b", "f"): 7, ("=b", "m"): 9, ("c", "f"): 8, ("c", "m"): 8,
}  # fmt: skip


def protected_tables() -> mv.ProtectedTables:
    tree = {"hierarchy": "tree", "tree": {"N": ["<a>", "=b"], "S": ["c"]}}
    return mv.tabulate(
        people(COUNTS, ["town", "sex"]),
        mv.Tabulation(by=["town", "sex"], hierarchies={"town": tree}),
        rules=[mv.Threshold(n=3), mv.PPercent(p=7)],
    )
