from __future__ import annotations

import microveil as mv
from tests.tabulation.instances import people

EXAMPLE = {
    ("young", "ES"): 5, ("young", "IS"): 2, ("old", "ES"): 6, ("old", "IS"): 3, ("old", "PT"): 4,
}  # fmt: skip
"""GaussSuppression's example1 in 2014: nobody young in PT."""


def test_an_empty_cell_is_unsafe_and_has_partners() -> None:
    frame = people(EXAMPLE, ["age", "geo"])
    rules = [mv.Zeros(), mv.Threshold(n=2)]
    made = mv.tabulate(frame, mv.Tabulation(by=["age", "geo"]), rules=rules)
    (shown,) = made.frames.values()
    found = {row[:2]: row[3] for row in shown.iter_rows() if row[3] != "safe"}
    assert found == {
        ("young", "PT"): "unsafe",
        ("young", "IS"): "secondary",
        ("old", "IS"): "secondary",
        ("old", "PT"): "secondary",
    }
