from __future__ import annotations

from pathlib import Path

import microveil as mv
from tests.tabulation.instances import people


def test_a_table_is_written_with_its_metadata(tmp_path: Path) -> None:
    counts = {("a", "f"): 5, ("a", "m"): 1, ("b", "f"): 7, ("b", "m"): 9}
    made = mv.tabulate(people(counts, ["town", "sex"]), mv.Tabulation(by=["town", "sex"]))
    tab, rda = mv.write_argus_tables(made, tmp_path)
    lines = tab.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 9
    assert "a;m;1;1;1;0;0;U" in lines
    assert "<MAXSCORE>" in rda.read_text(encoding="utf-8")
