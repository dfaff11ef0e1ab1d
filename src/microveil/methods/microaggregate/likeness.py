"""Distances of records that are vectors, sets or sequences of symbols: all pairs at once."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Singles
from microveil.errors import ColumnError, InputError, quote
from microveil.tables.kinds import is_number
from microveil.texts import phrase

LIKENESSES = ("cosine", "jaccard", "edit")
MOST_RECORDS = 20_000
"""The distances of all pairs are held: 1.6 GB for this many."""


def is_list(dtype: pl.DataType) -> bool:
    """Whether cells hold several values each."""
    return isinstance(dtype, pl.List | pl.Array)


def refuse_other_kinds(frame: pl.DataFrame, distance: str) -> None:
    """Raise for columns that the distance has no meaning for."""
    fits = {"cosine": _is_vector, "jaccard": _is_set, "edit": _is_sequence}[distance]
    needs = {
        "cosine": phrase("numbers, yes/no columns, or lists of numbers"),
        "jaccard": phrase("lists, each read as a set, or yes/no columns"),
        "edit": phrase("text, or lists, each read as a sequence"),
    }[distance]
    wrong = [name for name, dtype in frame.schema.items() if dtype != pl.Null and not fits(dtype)]
    if wrong:
        others = quote(wrong)
        raise ColumnError(
            "`distance: {distance}` needs {needs}. Of another kind: {others}.",
            distance=distance,
            needs=needs,
            others=others,
        )


def record_distances(frame: pl.DataFrame, distance: str) -> Singles:
    """Distance of all pairs of records of a frame without gaps."""
    if frame.height > MOST_RECORDS:
        raise InputError(
            "`distance: {distance}` weighs all pairs of {n_records} records, {most_records} "
            "at most. Group within strata, or take `distance: gower`.",
            distance=distance,
            n_records=frame.height,
            most_records=MOST_RECORDS,
        )
    if distance == "cosine":
        return _cosines(_vectors(frame))
    if distance == "jaccard":
        return _jaccards(_incidence(frame))
    found = [column_edits(column) for column in frame.iter_columns()]
    if len(found) == 1:
        return found[0]
    # Each column counts alike: in units of its farthest pair.
    total = np.zeros((frame.height, frame.height), np.float32)
    for one in found:
        total += one / max(float(one.max(initial=0)), 1.0)
    return total


def column_edits(column: pl.Series) -> Singles:
    """Edit distance of all pairs of cells: characters of texts, elements of lists."""
    from microveil.kernels.microaggregation.edit_distances import edit_distances

    cells = column if is_list(column.dtype) else column.cast(pl.String).str.split("")
    lists = cells.cast(pl.List(pl.String))
    distinct = lists.unique(maintain_order=True)
    lengths = distinct.list.len().to_numpy().astype(np.int64)
    symbols = distinct.explode(empty_as_null=False).rank("dense").fill_null(0).cast(pl.Int32)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    apart = edit_distances(symbols.to_numpy(), starts)
    places = pl.DataFrame({"cell": distinct}).with_row_index("place")
    of_cell = pl.DataFrame({"cell": lists}).join(
        places, on="cell", how="left", maintain_order="left"
    )["place"]
    rows = of_cell.to_numpy()
    return np.asarray(apart[rows][:, rows], dtype=np.float32)


def _is_vector(dtype: pl.DataType) -> bool:
    if isinstance(dtype, pl.List | pl.Array):
        return bool(dtype.inner.is_numeric() or dtype.inner == pl.Boolean)
    return is_number(dtype) or dtype == pl.Boolean


def _is_set(dtype: pl.DataType) -> bool:
    return is_list(dtype) or dtype == pl.Boolean


def _is_sequence(dtype: pl.DataType) -> bool:
    return is_list(dtype) or dtype.base_type() in (pl.String, pl.Categorical, pl.Enum)


def _vectors(frame: pl.DataFrame) -> NDArray[np.float64]:
    """One vector per record: numbers side by side, lists spread out."""
    parts = []
    for column in frame.iter_columns():
        if is_list(column.dtype):
            parts.append(list_matrix(column))
        else:
            parts.append(column.to_physical().cast(pl.Float64).to_numpy()[:, None])
    return np.hstack(parts)


def list_matrix(column: pl.Series) -> NDArray[np.float64]:
    """Lists of numbers as rows; all must be as long and miss no element."""
    lists = column.cast(pl.List(pl.Float64))
    if lists.list.len().n_unique() > 1:
        raise ColumnError(
            "Column '{name}' holds lists of different length, which have no angle. Use "
            "`distance: jaccard` or `edit`.",
            name=column.name,
        )
    rows = np.array(lists.to_list(), dtype=np.float64)
    if np.isnan(rows).any():
        raise ColumnError(
            "Column '{name}' holds lists with missing numbers. Fill them.", name=column.name
        )
    return rows


def _cosines(vectors: NDArray[np.float64]) -> Singles:
    lengths = np.linalg.norm(vectors, axis=1)
    nowhere = lengths == 0
    directions = (vectors / np.where(nowhere, 1, lengths)[:, None]).astype(np.float32)
    apart = np.clip(1 - directions @ directions.T, 0, 2)
    # A vector of zeros has no direction: it is like others of its kind, and unlike the rest.
    apart[nowhere] = 1
    apart[:, nowhere] = 1
    apart[np.ix_(nowhere, nowhere)] = 0
    np.fill_diagonal(apart, 0)
    return np.asarray(apart, dtype=np.float32)


def _incidence(frame: pl.DataFrame) -> NDArray[np.float32]:
    """(records, members): 1 where the record's set has the member."""
    parts = []
    for column in frame.iter_columns():
        if column.dtype == pl.Boolean:
            parts.append(column.to_numpy().astype(np.float32)[:, None])
            continue
        members, belongs = set_members(column)
        matrix = np.zeros((len(column), len(members)), np.float32)
        matrix[belongs["row"].to_numpy(), belongs["member"].to_numpy()] = 1
        parts.append(matrix)
    return np.hstack(parts) if parts else np.zeros((frame.height, 0), np.float32)


def set_members(column: pl.Series) -> tuple[pl.Series, pl.DataFrame]:
    """The values that occur in a column of sets, in order, and who has which."""
    exploded = (
        pl.DataFrame({"row": np.arange(len(column)), "value": column})
        .explode("value")
        .drop_nulls("value")
        .unique()
    )
    members = exploded["value"].unique().sort()
    places = pl.DataFrame({"value": members, "member": np.arange(len(members))})
    return members, exploded.join(places, on="value").select("row", "member")


def _jaccards(incidence: NDArray[np.float32]) -> Singles:
    common = incidence @ incidence.T
    sizes = incidence.sum(axis=1)
    together = sizes[:, None] + sizes[None, :] - common
    # Two empty sets are equal.
    alike = np.divide(common, together, out=np.ones_like(common), where=together > 0)
    return np.asarray(1 - alike, dtype=np.float32)
