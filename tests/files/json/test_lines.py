from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv
from microveil.errors import FileError
from microveil.files import read


def test_a_broken_line_of_json_is_told_by_number_only(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1}\n{"a": "secretcell\n')
    with pytest.raises(FileError, match="line 2 is not a complete JSON object") as caught:
        read(path)
    assert "secretcell" not in str(caught.value)


@pytest.mark.parametrize("depth", [200, 1200, 100_000])
def test_deeply_nested_json_lines_are_refused(depth: int, tmp_path: Path) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_text(f'{{"x":{"[" * depth}{"]" * depth}}}\n{{"x":[]}}\n')
    with pytest.raises(mv.FileError, match="nested too deeply"):
        read(path)
