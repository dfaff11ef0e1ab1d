"""The Spanish walk through the app names buttons and pages as the app does."""

from __future__ import annotations

import re
from pathlib import Path

from microveil.texts import text
from microveil.texts.catalogue import catalogue

APP = Path(__file__).parents[1] / "docs" / "app"
PICTURES = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")


def read(name: str) -> str:
    return (APP / name).read_text(encoding="utf-8")


def test_what_stands_in_italics_is_a_text_of_the_app() -> None:
    said = {form for forms in catalogue("es").sentences.values() for form in forms}
    named = re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", read("recorrido.md"))
    assert {text("es", f"page.{page}") for page in ("data", "risk", "release")} <= set(named)
    assert not set(named) - said


def test_the_walk_has_the_steps_and_pictures_of_the_english_one() -> None:
    ours, theirs = read("recorrido.md"), read("walkthrough.md")
    assert PICTURES.findall(ours) == PICTURES.findall(theirs)
    assert ours.count("\n## ") == theirs.count("\n## ")
