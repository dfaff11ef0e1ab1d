"""Numbers of methods, models and measures that pages state are those there are."""

from __future__ import annotations

import re
from typing import Any

import pytest

import microveil as mv
from docs.consoles import ROOT
from microveil.specs import Registry

COUNTS = {
    "methods": len(mv.METHODS),
    "privacy models": len(mv.MODELS),
    "risk measures": len(mv.RISK_MEASURES),
    "utility measures": len(mv.UTILITY_MEASURES),
}


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
@pytest.mark.parametrize("what", COUNTS)
def test_a_page_states_how_many_there_are(page: str, what: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    stated = re.findall(rf"(\d+) \[?{what}", text)
    assert stated, f"{page} says how many {what} there are"
    assert set(map(int, stated)) == {COUNTS[what]}


@pytest.mark.parametrize("registry", [mv.METHODS, mv.MODELS, mv.RISK_MEASURES, mv.UTILITY_MEASURES])
def test_the_readme_lists_every_one_of_them(registry: Registry[Any]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in registry.classes if f"`{name}`" not in text] == []


@pytest.mark.parametrize("registry", [mv.RISK_MEASURES, mv.UTILITY_MEASURES])
def test_every_measure_has_a_plain_name_and_a_question(registry: Registry[Any]) -> None:
    bare = [one.kind() for one in registry if not one.title or not one.question.endswith("?")]
    assert bare == []
