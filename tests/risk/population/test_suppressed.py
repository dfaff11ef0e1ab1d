from __future__ import annotations

import polars as pl
import pytest

from microveil.risk.population.suppressed import stars_blanked, suppressed_classes
from microveil.tables import Classes, Table

FRAME = pl.DataFrame({"a": ["*", "x", None, "*"], "n": [None, 1, None, 2]})


def test_a_class_is_suppressed_where_no_key_says_anything() -> None:
    classes = Classes.of(Table(FRAME), ["a", "n"])
    found = suppressed_classes(classes)
    assert found[classes.record_class].tolist() == [True, False, True, False]


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["*", "x"])])
def test_stars_become_missing_in_text_of_any_kind(dtype: pl.DataType) -> None:
    table = Table(FRAME.with_columns(pl.col("a").cast(dtype)))
    after = stars_blanked(table, ["a", "n"]).frame
    assert after["a"].to_list() == [None, "x", None, None]
    assert after["n"].equals(FRAME["n"])
    assert table.frame["a"].to_list() == FRAME["a"].to_list()
