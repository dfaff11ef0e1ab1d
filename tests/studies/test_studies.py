"""Every study runs quickly, explains what differs, and writes what it found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from microveil.app import advise
from microveil.studies import STUDIES, Experiment, Study, StudyResult, write_study
from microveil.studies.advise import Advise
from microveil.studies.writing import to_markdown

LONG = {"advise", "zaragoza", "tartu", "frontier", "synthesis", "uab"}
"""Studies whose quick run takes most of a minute."""


@pytest.mark.parametrize(
    "study",
    [
        pytest.param(one, id=one.name, marks=[pytest.mark.slow] if one.name in LONG else [])
        for one in STUDIES
    ],
)
def test_a_quick_run_explains_what_differs_and_is_written_whole(
    study: type[Study], tmp_path: Path
) -> None:
    # One test, so that a study runs once however the tests are spread over processes.
    ready = study()
    if isinstance(ready, Advise):
        ready.search = advise
    result = ready.run(quick=True)
    _every_difference_has_a_reason(result)
    _no_cell_is_left_out(result)
    _marks_without_chance_stand(result)
    _files_are_written(result, tmp_path)


def _every_difference_has_a_reason(result: StudyResult) -> None:
    for each in result.experiments:
        assert each.cells, each.title
        assert not each.unexplained_cells(), each.title


def _no_cell_is_left_out(result: StudyResult) -> None:
    page = to_markdown(result)
    for each in result.experiments:
        assert all(cell.published in page for cell in each.cells if cell.published)


def _files_are_written(result: StudyResult, folder: Path) -> None:
    written = write_study(result, folder)
    page = (folder / f"{result.name}.md").read_text(encoding="utf-8")
    data = json.loads((folder / f"{result.name}.json").read_text(encoding="utf-8"))
    assert all(each.title in page for each in result.experiments)
    assert sum(len(each["cells"]) for each in data["experiments"]) == sum(data["counts"].values())
    pictures = [path for path in written if path.suffix == ".svg"]
    assert len(pictures) == len(result.figures)
    assert all(1_000 < path.stat().st_size < 200_000 for path in pictures)


def _counts(result: StudyResult, source: str) -> dict[str, int]:
    found: Experiment = next(each for each in result.experiments if each.source == source)
    return {str(mark): count for mark, count in found.counts().items()}


def _marks_without_chance_stand(result: StudyResult) -> None:
    if result.name == "zaragoza":
        assert _counts(result, "Figures 1, 3 and 4") == {"equal": 6}
        table_6 = _counts(result, "Table 6")
        assert table_6["equal"] == 48
        assert "differs" not in table_6
        assert _counts(result, "Table 7") == {"equal": 12}
    if result.name == "uoc":
        assert _counts(result, "Tables 9 and 10") == {"equal": 13}
        assert _counts(result, "Table 11") == {"equal": 2}
        assert _counts(result, "Tables 23 and 24") == {"equal": 4, "new": 4}
        assert "differs" not in _counts(result, "Tables 25 and 26")
        assert _counts(result, "Table 22") == {"equal": 10}
    if result.name == "uab":
        assert _counts(result, "Tables 1 and 2") == {"equal": 6}
    if result.name == "petersburg":
        assert _counts(result, "Figures 2 to 4")["equal"] == 5
    if result.name == "tartu":
        # Chance, but from fixed streams: what the slides print comes out but for a few cells.
        assert _counts(result, "Experiment 1: usability")["within error"] > 100
        assert _counts(result, "Experiment 1: value disclosure")["differs"] < 10
