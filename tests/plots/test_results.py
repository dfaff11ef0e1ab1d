from __future__ import annotations

from typing import Any

import pytest

from microveil.app import Comparison, run
from microveil.errors import InputError
from microveil.methods import SuppressRecords
from microveil.plots import (
    class_sizes_chart,
    kept_cells_chart,
    risk_before_after_chart,
    to_svg,
)
from microveil.recipes import Recipe
from microveil.tables import Roles


def test_figures_take_releases_and_comparisons_too() -> None:
    roles = Roles(quasi_identifiers=["town"])
    release = run(Recipe(roles=roles, steps=[SuppressRecords(k=2)]), {"town": [*"aaaab"]})
    comparison = Comparison({}, release.utility, release.risk_before, release.risk)

    for draw, parts in (
        (class_sizes_chart, [release.risk]),
        (risk_before_after_chart, [release.risk_before, release.risk]),
        (kept_cells_chart, [release.utility["cell_changes"]]),
    ):
        chart: Any = draw
        assert to_svg(chart(release)) == to_svg(chart(*parts)) == to_svg(chart(comparison))
        with pytest.raises(InputError, match="This figure"):
            chart({"town": ["a"]})
