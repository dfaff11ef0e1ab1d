"""A run in parts has the report of any run, from what was noted while the file was read."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

import microveil as mv
from microveil.app import run_file
from microveil.app.assessing import assess
from microveil.app.file_runs.parts_report import NO_FIGURES, PartsRelease, summarize_parts
from microveil.files import WriteReport
from microveil.scores import Score
from tests.planning.test_parts_equal_whole import people, recipe_of

FRAME = pl.DataFrame({"name": ["a", "b"], "sex": ["f", "f"], "town": ["x", "y"]})
ROLES = mv.Roles(
    identifiers=["name"], quasi_identifiers=["sex"], insensitive=["town"], scenarios={"s": ["town"]}
)
WRITTEN = WriteReport(
    path="far/away/out.csv", format="csv", n_rows=2, n_columns=2, shuffled=True, read_back=True
)


def known(**more: object) -> PartsRelease:
    """What is noted of a release of two rows, of which a third was removed."""
    recipe = mv.Recipe(roles=ROLES, steps=[mv.Drop(columns=["name"])])
    told = {
        "recipe": recipe,
        "original": mv.Table(FRAME, ROLES),
        "checks": (),
        "facts": (),
        "before": assess(FRAME, ROLES),
        "after": assess(FRAME.drop("name"), ROLES.without({"name"})),
        "cell_changes": None,
        "columns": ("sex", "town"),
        "n_records": 2,
        "n_removed": 1,
    }
    return PartsRelease(**{**told, **more})  # type: ignore[arg-type]


def test_records_columns_and_risks_are_those_that_were_noted() -> None:
    found = summarize_parts(known(), WRITTEN)
    assert found.content.n_records_original == 3
    assert found.content.columns_removed == ("name",)
    assert [risk.scenario for risk in found.risk or ()] == [None, "s"]
    assert found.file is not None
    assert found.file.name == "out.csv"


def test_what_was_never_side_by_side_has_no_utility() -> None:
    assert summarize_parts(known(), None).utility is None
    changes = Score(
        measure="cell_changes", value=0.25, parts={"kept": {"sex": 0.75}, "removed_share": 0.1}
    )
    found = summarize_parts(known(cell_changes=changes), None).utility
    assert found is not None
    assert (found.lost_share, found.parts) == (0.25, {"removed_share": 0.1})


def test_a_run_in_parts_has_a_report(tmp_path: Path) -> None:
    source, out = tmp_path / "people.parquet", tmp_path / "out.parquet"
    people().write_parquet(source)
    recipe = recipe_of([{"method": "mondrian", "k": 5}], require=[{"model": "k_anonymity", "k": 5}])
    for report in (tmp_path / "report.html", tmp_path / "report.json"):
        run_file(recipe, source, out, report=report, in_parts=True)
    told = json.loads((tmp_path / "report.json").read_text())
    assert told["requirements"][0]["holds"] is True
    assert told["risk"][0]["after"]["k"] >= 5
    assert told["content"]["n_records"] == 700
    page = (tmp_path / "report.html").read_text()
    assert "Requirements met" in page
    assert NO_FIGURES in page


def test_a_broken_run_in_parts_has_a_report_and_no_data(tmp_path: Path) -> None:
    source, out = tmp_path / "people.parquet", tmp_path / "out.parquet"
    people().write_parquet(source)
    recipe = recipe_of([], require=[{"model": "k_anonymity", "k": 5}])
    result = run_file(recipe, source, out, report=tmp_path / "report.html", in_parts=True)
    assert not result.holds
    assert not out.exists()
    assert "NOT RELEASED" in (tmp_path / "report.html").read_text()
