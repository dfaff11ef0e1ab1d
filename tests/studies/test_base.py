from __future__ import annotations

from microveil.progress import Progress
from microveil.studies import Cell, Experiment
from microveil.studies.base import Study


class Small(Study):
    """One cell."""

    name = "small"
    title = "A small study"
    document = "Nobody (2001)."

    def experiments(self, *, quick: bool, progress: Progress) -> tuple[Experiment, ...]:
        progress(1, 1, "done")
        cells = (Cell({}, "x", 2.0 if quick else 1.0, "1"), Cell({}, "y", 5.0))
        return (Experiment("One", "Page 1", cells),)


def test_a_study_runs_its_experiments_and_counts_their_marks() -> None:
    told: list[str] = []
    full = Small().run(progress=lambda _, __, what: told.append(what))
    assert full.counts()["equal"] == full.counts()["new"] == 1
    quick = Small().run(quick=True)
    assert quick.counts()["differs"] == 1
    assert quick.quick
    assert told == ["done"]
    plain = full.to_dict()
    assert plain["study"] == "small"
    assert plain["experiments"][0]["title"] == "One"
    assert full.figures == {}
