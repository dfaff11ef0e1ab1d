"""What the page says of the slides."""

from __future__ import annotations

from microveil.studies.tartu.about import ABOUT
from microveil.studies.tartu.study import Tartu
from tests.studies.abouts import unknown, unused_captions, without_caption


def test_words_and_captions_lead_to_what_there_is() -> None:
    figures = Tartu().figures((), quick=True)
    assert unknown(ABOUT, ["range_share", "model:"]) == []
    assert without_caption(ABOUT, figures) == unused_captions(ABOUT, figures) == []
