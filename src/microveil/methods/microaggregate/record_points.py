"""Records as points, so that similar records can be found whatever their columns hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.errors import ColumnError
from microveil.methods.parts.real_values import real_values
from microveil.tables.kinds import is_number
from microveil.tables.values import plain

if TYPE_CHECKING:
    from microveil.kernels.microaggregation.gower_mdav import Mixed

Points = NDArray[np.float64]

MOST_CATEGORIES = 64
"""A nominal column needs a dimension per category; beyond this Gower's distance does better."""


def is_ordinal(dtype: pl.DataType) -> bool:
    """Whether values have an order but no distance."""
    return isinstance(dtype, pl.Enum)


def euclidean_points(frame: pl.DataFrame, *, standardize: bool) -> Points:
    """One point per record, with squared distances that add up over the columns.

    A number, date or ordinal value is one coordinate. A nominal value is a vertex of a simplex, so
    all categories are equally far apart. If standardised, every column has unit variance (a nominal
    one over all its coordinates together); constant columns are ignored.
    """
    parts = [_coordinates(column, standardize=standardize) for column in frame.iter_columns()]
    if len(parts) == 1:
        return parts[0].reshape(frame.height, -1)
    widths = [1 if part.ndim == 1 else part.shape[1] for part in parts]
    points = np.empty((frame.height, sum(widths)))
    for start, width in zip(np.cumsum([0, *widths]), widths, strict=False):
        # Each is freed once it has been placed: two copies of all would be too many.
        points[:, start : start + width] = parts.pop(0).reshape(frame.height, -1)
    return points


def _coordinates(column: pl.Series, *, standardize: bool) -> Points:
    if is_number(column.dtype) or is_ordinal(column.dtype):
        values = real_values(_as_codes(column))
        return _standardize(values) if standardize else values
    codes, n_codes = nominal_codes(column)
    if n_codes > MOST_CATEGORIES:
        raise ColumnError(
            "Column '{name}' has {n_codes} categories, too many for euclidean distance (at "
            "most {most_categories}). Set `distance: gower`, or group rare ones first.",
            name=column.name,
            n_codes=n_codes,
            most_categories=MOST_CATEGORIES,
        )
    corners: Points = np.eye(n_codes)[codes] / np.sqrt(2)
    spread = corners.var(axis=0).sum()
    return corners / np.sqrt(spread) if standardize and spread > 0 else corners


def _as_codes(column: pl.Series) -> pl.Series:
    return column.to_physical() if is_ordinal(column.dtype) else column


def _standardize(values: Points) -> Points:
    centred: Points = values - values.mean()
    spread = centred.std(ddof=1) if len(values) > 1 else 0.0
    if spread > 0:
        centred /= spread
        return centred
    return np.zeros_like(centred)


def nominal_codes(column: pl.Series) -> tuple[NDArray[np.int64], int]:
    """Codes in the order of the values, and how many there are."""
    text = plain(column).cast(pl.String)
    codes = text.rank("dense").cast(pl.Int64).to_numpy() - 1
    return codes, int(codes.max(initial=-1)) + 1


def gower_records(frame: pl.DataFrame) -> Mixed:
    """The records for Gower's distance: numbers over their range, other values as codes."""
    from microveil.kernels.microaggregation.gower_mdav import NOMINAL, NUMERIC, ORDINAL, Mixed

    values, kinds, levels = [], [], []
    for column in frame.iter_columns():
        if is_number(column.dtype):
            numbers = real_values(column)
            extent = np.ptp(numbers) if len(numbers) else 0.0
            values.append((numbers - numbers.min()) / extent if extent > 0 else 0.0 * numbers)
            kinds.append(NUMERIC)
            levels.append(0)
        elif isinstance(column.dtype, pl.Enum):
            values.append(real_values(_as_codes(column)))
            kinds.append(ORDINAL)
            levels.append(len(column.dtype.categories))
        else:
            codes, n_codes = nominal_codes(column)
            values.append(codes.astype(np.float64))
            kinds.append(NOMINAL)
            levels.append(n_codes)
    return Mixed(
        np.ascontiguousarray(np.column_stack(values)),
        np.array(kinds, dtype=np.int32),
        np.array(levels, dtype=np.int32),
    )
