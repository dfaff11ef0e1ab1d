"""A release row by row beside what came in: what was removed stays as a row without content."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, TypeAlias

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.hierarchies.hierarchy import STAR

Removed: TypeAlias = Literal["missing", "coarsest", "drop"]
"""What becomes of a row that was removed: all its cells are missing; the same, but its text keys
read ``*``; or it is left out."""


def with_blanks(
    frame: pl.DataFrame, n_rows: int, rows: Longs, starred: Collection[str] = ()
) -> pl.DataFrame:
    """Released rows at the positions they came from, and rows without content between them.

    Text columns in ``starred`` read ``*`` in those rows.

    >>> with_blanks(pl.DataFrame({"x": ["a", "b"]}), 3, np.array([0, 2]))["x"].to_list()
    ['a', None, 'b']
    """
    place = np.full(n_rows, -1, dtype=np.int64)
    place[rows] = np.arange(frame.height)
    blank = pl.Series(place < 0)
    whole = frame.select(pl.all().gather(pl.Series(place).set(blank, None)))
    text = [name for name in starred if frame.schema.get(name) == pl.String]
    star = pl.when(blank).then(pl.lit(STAR))
    return whole.with_columns(star.otherwise(pl.col(name)).alias(name) for name in text)
