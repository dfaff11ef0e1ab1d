"""What the page says of the course."""

from __future__ import annotations

from microveil.studies.uoc.about import ABOUT
from microveil.studies.uoc.figures import figures
from tests.studies.abouts import unknown, unused_captions, without_caption


def test_words_and_captions_lead_to_what_there_is() -> None:
    assert unknown(ABOUT, ["kind", "distance", "microveil.dp", "tree"]) == []
    assert without_caption(ABOUT, figures()) == unused_captions(ABOUT, figures()) == []
