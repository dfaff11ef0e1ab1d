"""The page about engines says what the planner decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs import engines
from microveil.planning.methods import by_sorting


def test_the_page_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_sorting, "LARGE", by_sorting.LARGE)
    there = Path(engines.PAGE).read_text(encoding="utf-8")
    assert there == engines.page(), "run `python docs/engines.py`"
