"""The page *which method when* says what the search does."""

from __future__ import annotations

from pathlib import Path

from microveil.app.advising.families import FAMILIES
from microveil.app.advising.knowledge import which_method_page

DOCS = Path(__file__).parents[3] / "docs"


def test_the_page_is_as_the_search_is() -> None:
    page = (DOCS / "which-method.md").read_text(encoding="utf-8")
    assert page == which_method_page(), "run tools/which-method"


def test_every_family_has_a_row_and_its_method_a_page() -> None:
    page = which_method_page()
    for one in FAMILIES.values():
        assert one.known.have in page
        assert (DOCS / "methods" / f"{one.method}.md").exists()
