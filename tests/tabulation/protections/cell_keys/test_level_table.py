from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import microveil as mv
from microveil.tabulation.protections.cell_keys.level_table import LevelTable

HANDBOOK = "i;j;p\n0;0;1\n1;0;.5\n1;2;.5\n2;2;.8\n2;3;.2\n3;2;.3\n3;3;.4\n3;4;.3\n"
"""The perturbation table of the handbook's worked look-up (chapter 5.4)."""


def test_rows_have_no_bias_and_the_variance_asked_for() -> None:
    table = LevelTable.of(deviation=4, variance=1.2, step=0.5)
    for level, (moves, ends) in zip(table.levels[1:], table.rows[1:], strict=True):
        shares = np.diff(ends, prepend=0.0)
        assert shares @ moves == pytest.approx(0, abs=1e-9)
        assert shares @ moves**2 == pytest.approx(1.2, abs=1e-9)
        assert moves.min() == -level


def test_noise_between_levels_is_without_bias_too_and_never_below_zero() -> None:
    table = LevelTable.of(deviation=3, variance=1.0, step=0.5)
    keys = (np.arange(200_000) + 0.5) / 200_000
    for level in (0.3, 1.0, 1.7, 2.99, 40.0):
        noise = table.look_up(np.full(len(keys), level), keys)
        assert noise.mean() == pytest.approx(0, abs=1e-3)
        assert noise.min() >= -level


def test_a_variance_that_no_row_can_have_is_an_error_with_what_is_possible() -> None:
    with pytest.raises(mv.GoalNotReachedError, match=r"Level 1 cannot.*between .* is possible"):
        LevelTable.of(deviation=2, variance=1.9, step=0.5)


def test_files_with_levels_left_out_are_read(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text("i;j;p;v\n0;0;1;0\n1;0;.5;-1\n1;2;.5;1\n5;3;.5;-2\n5;7;.5;2\n")
    table = LevelTable.read(path)
    assert table.levels.tolist() == [0, 1, 5]
    assert table.look_up(np.array([3.0, 1.0]), np.array([0.1, 0.9])).tolist() == [-1.5, 1.0]


@pytest.mark.parametrize("text", ["i;j;p\n0;0;x\n", "i;j;p\n1;1;1\n", "i;j;p\n0;0;1\n1;1;.4\n"])
def test_a_file_that_is_no_table_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "p.txt").write_text(text)
    with pytest.raises(mv.FileError, match=r"p\.txt"):
        LevelTable.read(tmp_path / "p.txt")
