"""What pages state about methods, models and measures is what there is."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import microveil as mv
from docs import listing
from microveil.methods.parts.base import Outcome
from microveil.specs import Registry
from microveil.tables import Table

REFRESH = "`python docs/listing.py` (or `make refresh`) brings it up to date."
PAGES = listing.pages()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(listing.ROOT)))
def test_a_page_states_what_there_is(page: Path) -> None:
    assert page.is_file(), REFRESH
    assert page.read_text(encoding="utf-8") == PAGES[page], REFRESH


@pytest.mark.parametrize("what", listing.COUNTS)
def test_readme_and_home_page_say_how_many_there_are(what: str) -> None:
    for page in ("README.md", "docs/index.md"):
        text = (listing.ROOT / page).read_text(encoding="utf-8")
        assert f"{len(listing.COUNTS[what])} {what}" in text.replace("[", "")


@pytest.mark.parametrize("registry", [mv.RISK_MEASURES, mv.UTILITY_MEASURES])
def test_every_measure_has_a_plain_name_and_a_question(registry: Registry[Any]) -> None:
    bare = [one.kind() for one in registry if not one.title or not one.question.endswith("?")]
    assert bare == []


class Fade(mv.Method):
    """Make columns fade.

    Slowly.

    >>> Fade(columns=("x",)).kind()
    'fade'
    """

    method: Literal["fade"] = "fade"
    columns: tuple[str, ...] = ()
    """Columns that fade."""

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  a stub
        return Outcome(table)


def test_a_new_method_gets_a_page_a_line_and_its_place_in_the_navigation() -> None:
    page = listing.page_of(Fade)
    assert page.startswith("# fade: make columns fade\n\nSlowly.\n\n| parameter | meaning |")
    assert "| `columns` | Columns that fade. |" in page
    assert ">>> mv.Fade(columns=(\"x\",)).kind()\n'fade'\n" in page
    overview = "| [`drop`](drop.md) | removes columns | no | yes |\n\n## Order\n"
    grown = listing.in_overview(overview, Fade)
    assert "[`fade`](fade.md) | make columns fade |" in grown.split("\n\n")[0]
    assert listing.in_overview(grown, Fade) == grown
    nav = listing.in_navigation("      - methods/drop.md\n  - other.md\n", Fade)
    assert nav == "      - methods/drop.md\n      - methods/fade.md\n  - other.md\n"


def test_counts_and_lists_are_brought_up_to_date() -> None:
    text = "| 3 methods: all | `drop` |\n| 2 privacy models | `x` |\n4 [risk measures](r.md)"
    done = listing.counted(listing.listed(text))
    assert done.startswith(f"| {len(mv.METHODS)} methods: all | `drop` `")
    assert "`mask`" in done
    assert f"{len(mv.RISK_MEASURES)} [risk measures]" in done
