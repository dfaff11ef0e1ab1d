from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv
from microveil.tabulation.exchange.metadata import parse_metadata

FIXED = """Region 1 2 99
  <RECODEABLE>
  <HIERARCHICAL>
  <HIERCODELIST> "region.hrc"
  <HIERLEADSTRING> "@"
Weight 4 3
  <WEIGHT>
Value 8 5
  <NUMERIC>
"""


def test_fixed_width_data_become_a_table(tmp_path: Path) -> None:
    (tmp_path / "data.rda").write_text(FIXED, encoding="utf-8")
    (tmp_path / "region.hrc").write_text("N\n@ 1\n@ 2\nS\n@ 3\n@ 4\n", encoding="utf-8")
    lines = [f"{code:>2} 1.0 {10 + at:>5}" for at, code in enumerate("112233344" * 3)]
    (tmp_path / "data.asc").write_text("\n".join(lines), encoding="utf-8")
    found = mv.read_argus(tmp_path / "data.asc")
    assert found.frame["Region"].unique().sort().to_list() == [" 1", " 2", " 3", " 4"]
    table = found.tabulation(["Region"], "Value")
    assert table.weight == "Weight"
    (made,) = mv.tabulate(found.frame, table).frames.values()
    assert made["Region"].to_list() == ["Total", "N", " 1", " 2", "S", " 3", " 4"]


def test_data_with_a_separator_and_a_record_key(tmp_path: Path) -> None:
    meta = '<SEPARATOR> ";"\nSex 1\n  <RECODEABLE>\nKey 10\n  <RECORDKEY>\n'
    (tmp_path / "m.rda").write_text(meta, encoding="utf-8")
    (tmp_path / "m.csv").write_text("1;0.25\n2;0.5\n", encoding="utf-8")
    found = mv.read_argus(tmp_path / "m.csv")
    assert found.record_key == "Key"
    assert found.frame.rows() == [("1", 0.25), ("2", 0.5)]
    (tmp_path / "m.csv").write_text("1;0.25\n2\n", encoding="utf-8")
    with pytest.raises(mv.InputError, match="line 2 has 1 fields"):
        mv.read_argus(tmp_path / "m.csv")


@pytest.mark.parametrize(("text", "sentence"), [("", "no variable"), ("Sex x\n", "'Sex' needs")])
def test_metadata_that_say_too_little(text: str, sentence: str) -> None:
    with pytest.raises(mv.InputError, match=sentence):
        parse_metadata(text, "m.rda")
