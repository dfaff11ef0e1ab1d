from __future__ import annotations

import polars as pl
import pytest

from microveil.errors import ColumnError
from microveil.synthesis.parts.sequence import predictors_of, visit_order
from microveil.synthesis.parts.training import Training
from microveil.tables import Table

FRAME = pl.DataFrame({"many": range(9), "few": ["a", "b", "a"] * 3, "some": [1, 2, 3] * 3})


def test_columns_with_few_values_are_drawn_first_unless_others_are_asked_for() -> None:
    training = Training.of(Table(FRAME))
    assert visit_order(training, ()) == ["few", "some", "many"]
    assert visit_order(training, ["many"]) == ["many", "few", "some"]
    assert visit_order(Training.of(Table(FRAME), given=["few"]), ["few"]) == ["some", "many"]
    with pytest.raises(ColumnError, match="No column 'mny'"):
        visit_order(training, ["mny"])


def test_a_column_depends_on_those_before_it() -> None:
    assert predictors_of("c", ["a", "b"], {}) == ("a", "b")
    assert predictors_of("c", ["a", "b"], {"c": ["b"]}) == ("b",)
    assert predictors_of("c", ["a", "b"], {"c": []}) == ()
    with pytest.raises(ColumnError, match="'c' cannot depend on 'd'"):
        predictors_of("c", ["a", "b"], {"c": ["a", "d"]})
