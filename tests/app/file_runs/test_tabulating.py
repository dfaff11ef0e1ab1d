from __future__ import annotations

from pathlib import Path

import polars as pl

from microveil.app.file_runs.tabulating import tabulate_file
from microveil.tabulation.plan import TablePlan


def test_tables_are_made_from_a_file_and_written(tmp_path: Path) -> None:
    frame = pl.DataFrame({"town": list("aaaabbbb"), "sex": list("fffmffmm")})
    frame.write_csv(tmp_path / "d.csv")
    plan = TablePlan.from_yaml("tables: [{by: [town, sex]}]\nrules: [{rule: threshold, n: 2}]")
    run = tabulate_file(plan, tmp_path / "d.csv", tmp_path / "t.csv")
    plain = run.to_dict()
    assert plain["holds"]
    assert plain["written"] == [str(tmp_path / "t.csv")]
    assert plain["families"][0]["n_unsafe"] == 1
    assert pl.read_csv(tmp_path / "t.csv")["value"].null_count() == 4
