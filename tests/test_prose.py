"""Pages are read in small pieces: no paragraph is a wall of words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs import consoles

LONGEST = 115
"""Words of a paragraph: about eight lines of the site."""
_CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_BREAK = re.compile(r"\n\s*\n|\n(?=\s*[-*] |\s*\d+\. |#|\|)")
_TARGET = re.compile(r"\]\([^)]*\)")


def name_of(page: Path) -> str:
    return str(page.relative_to(consoles.ROOT))


def paragraphs(text: str) -> list[str]:
    """Paragraphs and items of lists; code, tables, headings and targets of links left out."""
    parts = _BREAK.split(_TARGET.sub("]", _CODE.sub("", text)))
    return [part for part in parts if not part.lstrip().startswith(("|", "#", "<"))]


@pytest.mark.parametrize("page", consoles.pages(), ids=name_of)
def test_no_paragraph_is_a_wall_of_words(page: Path) -> None:
    long = {
        part[:60]: n
        for part in paragraphs(page.read_text(encoding="utf-8"))
        if (n := len(part.split())) > LONGEST
    }
    assert not long


def test_paragraphs_are_told_apart() -> None:
    page = (
        "# Head\n\nOne [two](three.md).\nFour.\n\n- five\n- six\n\n```text\nseven\n```\n\n| 8 |\n"
    )
    assert [part.split() for part in paragraphs(page) if part.strip()] == [
        ["One", "[two].", "Four."],
        ["-", "five"],
        ["-", "six"],
    ]
