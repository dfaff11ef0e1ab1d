from __future__ import annotations

from typing import Any

import pytest

import microveil as mv
from microveil.app.exploration.workers import usable_workers
from microveil.errors import InputError
from tests.app.exploration.cases import FRAME, NOISE, numbers


@pytest.mark.parametrize("workers", [2, 5])
def test_the_number_of_workers_changes_nothing(workers: int) -> None:
    grid = {"steps.0.sd_share": [0.05, 0.1, 0.2, 0.4, 0.8]}
    wanted: dict[str, Any] = {"risk": "class_sizes", "utility": ["il1s", "cell_changes"]}

    alone = mv.explore(FRAME, NOISE, grid, seed=7, workers=1, **wanted)
    together = mv.explore(FRAME, NOISE, grid, seed=7, workers=workers, **wanted)

    assert numbers(alone).equals(numbers(together))


def test_workers_are_at_least_one() -> None:
    assert usable_workers(None, 1) == 1
    assert usable_workers(64, 3) in {1, 3}
    with pytest.raises(InputError, match="one or larger"):
        usable_workers(0, 3)
