from __future__ import annotations

import pyarrow as pa
import pytest

import microveil as mv
from microveil.tables import to_polars


def test_doubled_arrow_columns_are_refused_by_name() -> None:
    frame = pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])
    with pytest.raises(mv.ColumnError, match="more than one column named 'a'"):
        to_polars(frame)
