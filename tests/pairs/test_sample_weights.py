from __future__ import annotations

import pytest

from microveil.errors import ColumnError
from microveil.pairs.sample_weights import sample_weights
from microveil.tables import Roles, Table

WEIGHTED = Table({"x": [1, 2], "w": [1.5, 0.0]}, Roles(weight="w"))


def test_weights_are_those_the_roles_name() -> None:
    before, after = sample_weights(WEIGHTED, WEIGHTED)
    assert before is not None
    assert after is not None
    assert before.tolist() == after.tolist() == [1.5, 0.0]


def test_without_a_weight_each_record_counts_once() -> None:
    assert sample_weights(Table({"x": [1]}), WEIGHTED) == (None, None)
    before, after = sample_weights(WEIGHTED, Table({"x": [1, 2]}))
    assert before is not None
    assert after is None


@pytest.mark.parametrize("wrong", [-1.0, float("inf"), float("nan"), None])
def test_bad_weights_are_counted(wrong: float | None) -> None:
    table = Table({"w": [1.0, wrong]}, Roles(weight="w"))
    with pytest.raises(ColumnError, match="'w' holds 1 weights"):
        sample_weights(table, table)
