"""Cells come to Spark and back as they were."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import microveil as mv
from microveil.errors import ColumnError, InputError
from microveil.spark.frames import spark_schema, to_polars
from microveil.tables.door import is_spark_frame
from tests.planning.test_parts_equal_whole import people, recipe_of
from tests.spark.cases import back, to_spark

pytestmark = pytest.mark.filterwarnings("ignore")  # PySpark's own


def test_the_same_decimals_timestamps_and_letters_come_back(spark: Any) -> None:
    frame = people(60)
    release = mv.run(
        recipe_of([{"method": "mask", "columns": ["name"], "keep_start": 1}]),
        to_spark(spark, frame),
        seed=1,
    )
    found = back(release.data).sort("seen", "paid")
    assert_frame_equal(
        found.drop("name"), frame.sort("seen", "paid").drop("name"), check_exact=True
    )
    with pytest.raises(InputError):
        mv.run(recipe_of([{"method": "drop", "columns": ["nobody"]}]), to_spark(spark, frame))


def test_a_spark_frame_is_known_by_its_kind_alone() -> None:
    kind = type("DataFrame", (), {"__module__": "pyspark.sql.dataframe", "mapInArrow": None})
    column = type("Column", (), {"__module__": "pyspark.sql.column"})
    other = type("DataFrame", (), {"__module__": "somewhere", "mapInArrow": None})
    assert is_spark_frame(kind())
    assert not is_spark_frame(column())
    assert not is_spark_frame(other())
    assert not is_spark_frame(pl.DataFrame())


def test_cells_that_come_back_are_tidy() -> None:
    frame = pl.DataFrame({"text": ["", "x"], "real": [float("nan"), -0.0]})
    found = to_polars(frame.to_arrow())
    assert found.rows() == [(None, None), ("x", 0.0)]
    assert str(found["real"][1]) == "0.0"
    with pytest.raises(ColumnError, match="without columns"):
        to_polars(frame["text"].to_arrow())


def test_categories_and_empty_columns_are_text_on_spark() -> None:
    pytest.importorskip("pyspark")
    frame = pl.DataFrame(
        {
            "kind": pl.Series(["a"], dtype=pl.Categorical),
            "rank": pl.Series(["a"], dtype=pl.Enum(["a"])),
            "none": pl.Series([None]),
            "seen": pl.Series([None], dtype=pl.Datetime("us")),
            "n": [1],
        }
    )
    found = {field.name: field.dataType.typeName() for field in spark_schema(frame).fields}
    assert found == {
        "kind": "string",
        "rank": "string",
        "none": "string",
        "seen": "timestamp_ntz",
        "n": "long",
    }
