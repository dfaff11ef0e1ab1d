"""The price of a run is told from the file alone, read as the run would read it."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.app.file_runs.pricing import price_file

RECIPE = mv.Recipe(roles=mv.Roles(quasi_identifiers=["sex"]), steps=[mv.SuppressRecords(k=2)])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    pl.DataFrame({"sex": ["f", "m"] * 20, "pay": range(40)}).write_csv(path, separator="|")
    return path


def test_the_file_is_read_with_its_options_and_nothing_is_written(source: Path) -> None:
    found = price_file(RECIPE, source, options={"separator": "|", "sheet": None})
    assert (found.n_rows, [step.way for step in found.steps]) == (40, ["from counts"])
    assert found.fits
    assert list(source.parent.iterdir()) == [source]


def test_a_column_that_is_not_there_is_an_error(source: Path) -> None:
    with pytest.raises(mv.InputError, match="'sex'"):
        price_file(RECIPE, source, options={"separator": ";"})


def test_a_limit_below_what_the_run_needs_does_not_fit(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("microveil.planning.cost_estimate.PART_COPIES", 10**9)
    found = price_file(RECIPE, source, memory_limit="1GiB", options={"separator": "|"})
    assert not found.fits
