"""Categories merged as a search on codes proposes, then cells suppressed."""

from __future__ import annotations

from microveil.app.advising.families import FAMILIES
from microveil.methods import LocalSuppression
from tests.app.advising.families.test_merging import here

FAMILY = FAMILIES["group_cells"]


def test_a_setting_becomes_merges_and_then_suppression() -> None:
    found = here()
    at = (2, (0, 0), (1.0, 2.0), ((), (0, 1, 1, 1)[: found.units[1].n]))  # type: ignore[union-attr]
    *merges, last = FAMILY.steps(found, at)
    assert merges
    assert all(set(step.touches(found.table)) == {"job"} for step in merges)
    assert isinstance(last, LocalSuppression)
    assert last.k == 10
    assert dict(last.importance) == {"town": 1.0, "job": 2.0}
    assert "categories of 1 of 2 columns merged, k 10" in FAMILY.detail(found, at)


def test_it_starts_with_what_the_search_finds_and_goes_on_with_importance() -> None:
    found = here()
    starts = list(FAMILY.starts(found))
    assert 1 <= len(starts) <= 3
    assert all(FAMILY.steps(found, at)[-1].kind() == "local_suppression" for at in starts)
    assert all(near[3] == starts[0][3] for near in FAMILY.around(found, starts[0]))
    assert (2, *starts[0][1:]) in list(FAMILY.stronger(found, starts[0]))
