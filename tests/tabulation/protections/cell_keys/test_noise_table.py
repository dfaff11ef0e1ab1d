from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import microveil as mv
from microveil.tabulation.protections.cell_keys.noise_table import NoiseTable


def test_large_counts_have_the_noise_of_the_last_row() -> None:
    table = NoiseTable.of(deviation=2, variance=0.9)
    keys = np.linspace(0, 1, 1001)
    noise = table.look_up(np.full(1001, 10**6), keys)
    assert (noise.min(), noise.max()) == (-2, 2)
    assert noise.var() == pytest.approx(0.9, abs=0.01)


def test_the_frame_has_the_intervals_that_people_exchange() -> None:
    frame = NoiseTable.of(deviation=2, variance=0.9).frame()
    row = frame.filter(**{"from": 1})
    assert row["to"].to_list() == [0, 1, 2, 3]
    assert row["upper"].to_list() == pytest.approx([0.3625, 0.725, 0.9125, 1])


def test_a_table_is_written_and_read_again(tmp_path: Path) -> None:
    table = NoiseTable.of(deviation=3, variance=1.5, smallest=1)
    table.write(tmp_path / "ptable.txt")
    again = NoiseTable.read(tmp_path / "ptable.txt")
    for one, other in zip(table.rows, again.rows, strict=True):
        assert one.shares == pytest.approx(other.shares, abs=1e-9)
        assert one.targets.tolist() == other.targets.tolist()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("i;j;p\n0;0;1\n2;2;1\n", "count 1 is missing"), ("i;j;p\n0;x;1\n", "line 2")],
)
def test_a_file_that_is_no_table_is_refused(text: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text(text, encoding="utf-8")
    with pytest.raises(mv.InputError, match=sentence):
        NoiseTable.read(tmp_path / "p.txt")
