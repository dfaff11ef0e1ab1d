"""The page of a measure says what it is, how it reads labels, people, missing cells and weights."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import microveil as mv

DOCS = Path(__file__).parents[2] / "docs"
PARAGRAPHS = ("Definition", "Labels", "People", "Missing", "Weights")
PAGES = {
    **{name: DOCS / "risk" / f"{name}.md" for name in mv.RISK_MEASURES.classes},
    **{name: DOCS / "utility" / f"{name}.md" for name in mv.UTILITY_MEASURES.classes},
}


@pytest.mark.parametrize("name", list(PAGES))
def test_a_page_has_each_paragraph_once(name: str) -> None:
    text = PAGES[name].read_text(encoding="utf-8")
    for word in PARAGRAPHS:
        found = re.findall(rf"^\*\*{word}\.\*\* \S.{{10,}}", text, flags=re.MULTILINE)
        assert len(found) == 1, word
