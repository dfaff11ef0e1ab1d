"""Every study runs quickly, explains what differs, and writes what it found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from microveil.errors import InputError
from microveil.studies import STUDIES, Experiment, Study, StudyResult, find_study, write_study
from microveil.studies.writing import to_markdown


@pytest.fixture(scope="module", params=STUDIES, ids=lambda study: study.name)
def result(request: pytest.FixtureRequest) -> StudyResult:
    study: type[Study] = request.param
    return study().run(quick=True)


def experiment(result: StudyResult, source: str) -> Experiment:
    return next(each for each in result.experiments if each.source == source)


def test_every_cell_that_differs_says_why(result: StudyResult) -> None:
    for each in result.experiments:
        assert each.cells, each.title
        assert not each.unexplained(), each.title


def test_the_result_is_written_as_markdown_json_and_figures(
    result: StudyResult, tmp_path: Path
) -> None:
    written = write_study(result, tmp_path)
    page = (tmp_path / f"{result.name}.md").read_text(encoding="utf-8")
    data = json.loads((tmp_path / f"{result.name}.json").read_text(encoding="utf-8"))
    assert all(each.title in page for each in result.experiments)
    assert sum(len(each["cells"]) for each in data["experiments"]) == sum(data["counts"].values())
    pictures = [path for path in written if path.suffix == ".png"]
    assert len(pictures) == len(result.figures)
    assert all(path.stat().st_size > 1_000 for path in pictures)


def test_no_cell_is_left_out_of_the_page(result: StudyResult) -> None:
    page = to_markdown(result)
    for each in result.experiments:
        assert all(cell.published in page for cell in each.cells if cell.published)


def test_marks_of_what_leaves_nothing_to_chance_stand(result: StudyResult) -> None:
    if result.name == "zaragoza":
        assert experiment(result, "Table 6").counts()["equal"] == 48
        assert "differs" not in experiment(result, "Table 6").counts()
        assert experiment(result, "Table 7").counts() == {"equal": 12}
    if result.name == "uoc":
        assert experiment(result, "Tables 9 and 10").counts() == {"equal": 3}
        assert experiment(result, "Table 11").counts() == {"equal": 2}
        assert experiment(result, "Tables 23 and 24").counts() == {"equal": 4}
        assert "differs" not in experiment(result, "Tables 25 and 26").counts()
        assert experiment(result, "Table 22").counts() == {"equal": 10}
    if result.name == "uab":
        assert experiment(result, "Tables 1 and 2").counts() == {"equal": 6}
    if result.name == "petersburg":
        assert experiment(result, "Figures 2 to 4").counts()["equal"] == 5


def test_an_unknown_study_is_named_with_those_there_are() -> None:
    with pytest.raises(InputError, match="choose"):
        find_study("zaragossa")
