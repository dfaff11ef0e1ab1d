"""Study: a source document's experiments, re-run and compared with the published numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from microveil.progress import Progress, silent
from microveil.studies.cells import Experiment, Mark

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart


@dataclass(frozen=True)
class About:
    """What a page says about a document before its tables."""

    system: str = ""
    """What system the document describes, in a few sentences."""
    ours: Mapping[str, str] = field(default_factory=dict)
    """The document's names, and the equivalents here."""
    headline: str = ""
    """The one result a reader should take away."""
    interpretations: tuple[str, ...] = ()
    """How ambiguous sentences of the document were understood."""
    captions: Mapping[str, str] = field(default_factory=dict)
    """Captions of figures, by the beginning of their names."""


@dataclass(frozen=True)
class StudyResult:
    """The result of a study: its tables, and its figures, drawn on request."""

    name: str
    title: str
    document: str
    experiments: tuple[Experiment, ...]
    figures: Mapping[str, Callable[[], Chart]] = field(default_factory=dict)
    """By file name without suffix; drawn on demand, so that a study also runs without plots."""
    quick: bool = False
    seconds: float = 0.0
    about: About = About()

    def counts(self) -> dict[Mark, int]:
        """Number of cells of all experiments with each mark."""
        total: dict[Mark, int] = {}
        for experiment in self.experiments:
            for mark, count in experiment.counts().items():
                total[mark] = total.get(mark, 0) + count
        return total

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "study": self.name,
            "title": self.title,
            "document": self.document,
            "quick": self.quick,
            "seconds": round(self.seconds, 2),
            "counts": self.counts(),
            "experiments": [experiment.to_dict() for experiment in self.experiments],
        }


class Study(ABC):
    """One source document's experiments."""

    name: ClassVar[str]
    title: ClassVar[str]
    document: ClassVar[str]
    """Source of the published numbers."""

    def about(self, experiments: tuple[Experiment, ...]) -> About:
        """What the page says before its tables."""
        del experiments
        return About()

    @abstractmethod
    def experiments(self, *, quick: bool, progress: Progress) -> tuple[Experiment, ...]:
        """Run all of them; ``quick`` uses fewer repetitions where results are random."""

    def figures(
        self, experiments: tuple[Experiment, ...], *, quick: bool
    ) -> Mapping[str, Callable[[], Chart]]:
        """The document's figures, by file name."""
        del experiments, quick
        return {}

    def run(self, *, quick: bool = False, progress: Progress = silent) -> StudyResult:
        """Run the study; the numbers are the same in every run of a version."""
        from time import perf_counter

        start = perf_counter()
        done = self.experiments(quick=quick, progress=progress)
        return StudyResult(
            self.name,
            self.title,
            self.document,
            done,
            self.figures(done, quick=quick),
            quick,
            perf_counter() - start,
            self.about(done),
        )
