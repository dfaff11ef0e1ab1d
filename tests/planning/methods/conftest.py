"""Steps that are sorted on disk, though the tables of tests are small."""

from __future__ import annotations

from typing import Any

import pytest

from microveil.planning import files, sorting
from microveil.planning.methods import by_sorting, rank_swap, shuffle
from microveil.planning.moved_plan import MovedPlan


@pytest.fixture
def on_disk(monkeypatch: pytest.MonkeyPatch) -> list[MovedPlan]:
    """Sort even small tables on disk, in small batches; the plans made."""
    monkeypatch.setattr(by_sorting, "LARGE", 0)
    monkeypatch.setattr(files, "PART", 97)
    for module in (sorting, rank_swap, shuffle):
        monkeypatch.setattr(module, "BATCH", 64)
    made: list[MovedPlan] = []
    protect = MovedPlan.protect

    def noted(self: MovedPlan, *arguments: Any) -> Any:
        made.append(self)
        return protect(self, *arguments)

    monkeypatch.setattr(MovedPlan, "protect", noted)
    return made
