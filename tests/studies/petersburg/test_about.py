"""What the page says of the report."""

from __future__ import annotations

from microveil.studies.petersburg.about import ABOUT
from microveil.studies.petersburg.study import FULL, SECONDS, Petersburg
from tests.studies.abouts import unknown, unused_captions, without_caption


def test_words_and_captions_lead_to_what_there_is() -> None:
    figures = Petersburg().figures((), quick=True)
    assert unknown(ABOUT, ["--lang"]) == []
    assert without_caption(ABOUT, figures) == unused_captions(ABOUT, figures) == []


def test_the_headline_says_the_published_seconds() -> None:
    assert f"{float(SECONDS):.1f} seconds" in ABOUT.headline
    assert f"{FULL:,}" in ABOUT.headline
