"""Every worked example and exercise of the course, compared with the printed digits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from microveil.progress import Progress
from microveil.studies.base import About, Study
from microveil.studies.cells import Experiment
from microveil.studies.uoc import losses, masking, models
from microveil.studies.uoc.about import ABOUT

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

EXAMPLES: tuple[Callable[[], Experiment], ...] = (
    models.disclosure,
    models.anonymity,
    models.intervals,
    models.diversity,
    models.neighbouring_tables,
    models.randomized_response,
    models.sensitivity,
    models.linkage,
    losses.divergence,
    losses.decision_trees,
    losses.flower_by_flower,
    masking.generalization,
    masking.noise,
    masking.swapping,
    masking.microaggregation,
    models.exercise_1,
    losses.exercise_2,
    masking.exercise_3,
)
"""In the order of the document; exercise 4 asks for practice, not for numbers."""


class Uoc(Study):
    """The examples and exercises of a course on privacy in data publishing."""

    name: ClassVar[str] = "uoc"
    title: ClassVar[str] = "An introduction to privacy in data publishing"
    document: ClassVar[str] = (
        "Guillermo Navarro-Arribas, *Introducció a la privadesa en la publicació de dades*, course "
        "module PID_00274682, Fundació Universitat Oberta de Catalunya, first edition, September "
        "2020: its examples (tables 2 to 22) and exercises (tables 23 to 26)."
    )

    def about(self, experiments: tuple[Experiment, ...]) -> About:
        """What the course teaches, and where it is here."""
        del experiments
        return ABOUT

    def experiments(self, *, quick: bool, progress: Progress) -> tuple[Experiment, ...]:
        """All of them; nothing is repeated, so a quick run leaves none out."""
        del quick
        done = []
        for i, example in enumerate(EXAMPLES):
            progress(i, len(EXAMPLES), example.__name__.replace("_", " "))
            done.append(example())
        return tuple(done)

    def figures(
        self, experiments: tuple[Experiment, ...], *, quick: bool
    ) -> Mapping[str, Callable[[], Chart]]:
        """Figures 9, 11 and 13; the others are sketches without data."""
        del experiments, quick
        from microveil.studies.uoc.figures import figures

        return figures()
