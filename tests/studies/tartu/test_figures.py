"""The map shows five methods at one size and one correlation."""

from __future__ import annotations

import pytest

from microveil.studies.cells import Cell, Experiment
from microveil.studies.tartu.figures import confidentiality_map
from microveil.studies.tartu.masking import METHODS

pytest.importorskip("altair")


def test_each_method_is_a_point_and_other_cells_are_not() -> None:
    def cells(quantity: str, sign: float) -> list[Cell]:
        return [
            Cell({"n": n, "ρ": "0.40", "method": name}, quantity, sign * (i + 1) * n / 1000)
            for i, name in enumerate(METHODS)
            for n in (100, 300)
        ]

    experiments = (
        Experiment.of("usability", "1", [*cells("bias", -1.0), *cells("SE", 7.0)]),
        Experiment.of("values", "2", [*cells("of X1", 1.0), *cells("of X2", 9.0)]),
        Experiment.of("more", "3", cells("other", 1.0)),
    )
    points = confidentiality_map(experiments).to_dict()["datasets"].popitem()[1]
    assert [point["method"] for point in points] == list(METHODS)
    assert points[0] == {"method": "C&S", "utility": -0.1, "risk": 0.1}
