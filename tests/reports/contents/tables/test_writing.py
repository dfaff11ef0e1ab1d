from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.reports.contents.tables import write_tables
from tests.reports.contents.tables.made import protected_tables


def test_a_folder_has_every_form_and_csv_does_not_say_why(tmp_path: Path) -> None:
    written = write_tables(protected_tables(), tmp_path / "out")
    assert sorted(path.name for path in written) == [
        "count_by_town_sex.csv", "tables.html", "tables.xlsx",
    ]  # fmt: skip
    frame = pl.read_csv(written[0])
    assert set(frame["status"]) == {"published", "confidential"}


def test_nothing_is_written_while_a_cell_can_be_computed(tmp_path: Path) -> None:
    made = protected_tables()
    (family,) = made.families
    broken = replace(made, families=(replace(family, disclosed=np.array([0])),))
    with pytest.raises(mv.RequirementNotMetError):
        write_tables(broken, tmp_path / "t.xlsx")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["t.docx", "t.csv"])
def test_other_targets_are_refused(name: str, tmp_path: Path) -> None:
    frame = {"a": ["x"] * 5, "v": [1.0] * 5}
    two = [mv.Tabulation(by=["a"]), mv.Tabulation(by=["a"], value="v")]
    with pytest.raises(mv.InputError):
        write_tables(mv.tabulate(frame, two), tmp_path / name)
    assert list(tmp_path.iterdir()) == []
