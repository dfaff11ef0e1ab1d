from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.errors import ColumnError
from microveil.synthesis.parts.training import Training, record_weights
from microveil.tables import Table

FRAME = pl.DataFrame({"a": ["x", None, "y"], "n": [1.5, None, 2.0], "w": [1.0, 2.0, 0.0]})
ROLES = mv.Roles(weight="w")


def test_cells_come_back_as_they_were_and_the_weight_is_not_modelled() -> None:
    training = Training.of(Table(FRAME, ROLES), given=["n"])
    assert (training.modelled, training.given, training.n) == (("a",), ("n",), 3)
    assert training.weights is not None
    assert training.weights.tolist() == [1.0, 2.0, 0.0]
    assert training.frame({"a": training.cells["a"]}).equals(FRAME.select("a"))


def test_what_the_model_was_given_must_be_handed_in_again() -> None:
    training = Training.of(Table(FRAME, ROLES), given=["n"])
    assert list(training.read_given(FRAME)) == ["n"]
    with pytest.raises(ColumnError, match="given other columns"):
        training.read_given(None)
    assert Training.of(Table(FRAME, ROLES)).read_given(None) == {}


@pytest.mark.parametrize("weights", [[1.0, None], [1.0, -1.0], [0.0, 0.0], ["a", "b"]])
def test_weights_are_numbers_from_zero_up_and_not_all_zero(weights: list[object]) -> None:
    table = Table({"w": weights})
    with pytest.raises(ColumnError, match="Weight column 'w'"):
        record_weights(table, "w")
