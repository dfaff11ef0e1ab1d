"""Every worked example and exercise of the course, computed and laid beside the printed digits."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from microveil.progress import Progress
from microveil.studies.base import Study
from microveil.studies.cells import Experiment
from microveil.studies.uoc import losses, masking, models

EXAMPLES: tuple[Callable[[], Experiment], ...] = (
    models.disclosure,
    models.anonymity,
    models.diversity,
    models.neighbouring_tables,
    models.randomized_response,
    models.sensitivity,
    models.linkage,
    losses.divergence,
    losses.decision_trees,
    masking.generalization,
    masking.noise,
    masking.swapping,
    masking.microaggregation,
    models.exercise_1,
    losses.exercise_2,
)
"""In the order of the document; exercises 3 and 4 ask for words and for practice, not numbers."""


class Uoc(Study):
    """The examples and exercises of a course on privacy in data publishing."""

    name: ClassVar[str] = "uoc"
    title: ClassVar[str] = "An introduction to privacy in data publishing"
    document: ClassVar[str] = (
        "A course module of the Open University of Catalonia (2020): its examples (tables 2 to 22) "
        "and exercises (tables 23 to 26)."
    )

    def experiments(self, *, quick: bool, progress: Progress) -> tuple[Experiment, ...]:
        """All of them; nothing is repeated, so a quick run leaves none out."""
        del quick
        done = []
        for i, example in enumerate(EXAMPLES):
            progress(i, len(EXAMPLES), example.__name__.replace("_", " "))
            done.append(example())
        return tuple(done)
