from __future__ import annotations

import pytest

from microveil.errors import InputError
from microveil.plots import (
    kept_cells_chart,
    to_svg,
)
from microveil.plots.kept_cells import MOST_COLUMNS
from microveil.scores import Score
from tests.plots.cases import kept

EVIL = "<script>alert(1)</script>"


def test_names_in_a_figure_are_escaped() -> None:
    svg = to_svg(kept_cells_chart(kept(**{EVIL: 0.5})))

    assert "<script" not in svg
    assert "&lt;script" in svg


def test_a_figure_shows_the_columns_that_lost_most() -> None:
    shares = {f"column_{i:03}": i / 100 for i in range(100)}

    svg = to_svg(kept_cells_chart(kept(**shares)))

    assert f"column_{MOST_COLUMNS - 1:03}" in svg
    assert f"column_{MOST_COLUMNS:03}" not in svg
    assert f"the {MOST_COLUMNS} of 100 columns" in svg


def test_the_wrong_score_is_refused() -> None:
    with pytest.raises(InputError, match="cell_changes"):
        kept_cells_chart(Score("il1s", 0.1))
