"""What the page says of the thesis."""

from __future__ import annotations

from microveil.studies.cells import Cell, Experiment
from microveil.studies.zaragoza.about import ABOUT
from microveil.studies.zaragoza.figures import ADULT, BY_ALGORITHM, figures
from tests.studies.abouts import unknown, unused_captions, without_caption


def test_words_and_captions_lead_to_what_there_is() -> None:
    cell = Cell({"k": 2, "data": "x", "algorithm": "Datafly"}, "combinations", 1.0)
    drawn = figures(
        tuple(Experiment.of("runs", source, [cell]) for source in (*BY_ALGORITHM, *ADULT))
    )
    assert (
        unknown(
            ABOUT,
            [
                "mode:",
                "relaxed",
                "{hierarchy:",
                "hierarchies",
                "squares",
                "dependent",
                "dependent_squares",
                "--rows",
                "--columns",
                "--values",
            ],
        )
        == []
    )
    assert without_caption(ABOUT, drawn) == unused_captions(ABOUT, drawn) == []
