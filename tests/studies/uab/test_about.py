"""What the page says of the thesis."""

from __future__ import annotations

from microveil import plots
from microveil.studies.uab.about import ABOUT
from microveil.studies.uab.figures import figures
from tests.studies.abouts import unknown, unused_captions, without_caption

PARAMETERS = ["sd_share:", "sd:", "distribution:", "redraw:", "range_share:", "variant:", "k:"]


def test_words_and_captions_lead_to_what_there_is() -> None:
    assert unknown(ABOUT, [*PARAMETERS, *plots.__all__]) == []
    assert without_caption(ABOUT, figures()) == unused_captions(ABOUT, figures()) == []
