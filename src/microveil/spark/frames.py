"""Frames: recognise Spark frames, and convert between them and Polars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import polars as pl

from microveil.errors import ColumnError, quote
from microveil.tables.cells import tidy_cells

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import StructType

HEAD = 1000


class SparkFrame(Protocol):
    """What tells a Spark frame from the frames of other libraries, for type checkers."""

    @property
    def sparkSession(self) -> Any:  # noqa: N802  Spark's own name
        """The session it belongs to."""


def col(name: str) -> Column:
    """A column by its name, which may contain any character."""
    from pyspark.sql import functions

    return functions.col("`" + name.replace("`", "``") + "`")


def refuse_nested_columns(frame: DataFrame) -> None:
    """Raise an error for columns whose cells are not single values."""
    from pyspark.sql.types import ArrayType, MapType, StructType

    nested = [
        field.name
        for field in frame.schema.fields
        if isinstance(field.dataType, ArrayType | MapType | StructType)
    ]
    if nested:
        raise ColumnError(
            f"The Spark engine needs single values, and column {quote(nested)} is nested. Flatten "
            "it, or leave it out with select()."
        )


def tidy(frame: DataFrame, names: list[str]) -> list[Column]:
    """Columns with one meaning of empty and of zero (:mod:`microveil.tables.cells`)."""
    from pyspark.sql import functions
    from pyspark.sql.types import DoubleType, FloatType, StringType

    kinds = {field.name: field.dataType for field in frame.schema.fields}
    columns = []
    for name in names:
        column = col(name)
        if isinstance(kinds[name], StringType):
            column = functions.when(column != "", column)
        elif isinstance(kinds[name], DoubleType | FloatType):
            column = functions.when(~functions.isnan(column), column + functions.lit(0.0))
        columns.append(column.cast(kinds[name]).alias(name))
    return columns


def to_polars(arrow: Any) -> pl.DataFrame:
    """An Arrow table or batch as a frame with tidy cells."""
    frame = pl.from_arrow(arrow)
    if not isinstance(frame, pl.DataFrame):
        raise ColumnError("A table without columns cannot be protected.")
    return tidy_cells(frame)


def head_of(frame: DataFrame, n_rows: int = HEAD) -> pl.DataFrame:
    """The first rows."""
    return to_polars(frame.limit(n_rows).toArrow())


def spark_schema(frame: pl.DataFrame) -> StructType:
    """The schema of a Spark frame that holds these columns."""
    from pyspark.sql.pandas.types import from_arrow_schema

    plain = frame.clear().with_columns(
        pl.col(pl.Categorical, pl.Enum).cast(pl.String), pl.col(pl.Null).cast(pl.String)
    )
    return from_arrow_schema(plain.to_arrow().schema, prefer_timestamp_ntz=True)


def arrow_schema(schema: StructType, frame: DataFrame) -> Any:
    """The schema of the batches that workers return, in the time zone of the frame's session."""
    from pyspark.sql.pandas.types import to_arrow_schema

    zone = frame.sparkSession.conf.get("spark.sql.session.timeZone")
    return to_arrow_schema(schema, timezone=zone)
