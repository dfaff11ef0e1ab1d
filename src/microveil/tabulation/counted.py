"""Counted cells: what rules and protections need to know of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import prod
from typing import Any

import numpy as np
import polars as pl

from microveil.arrays import Flags, Floats, Longs
from microveil.errors import InputError
from microveil.tabulation.dimensions import Dimension

KEY_SCALE = 2**32
"""Record keys are whole numbers below this, so that sums are the same in any order."""
KEY_ERROR = 1e-9
"""How far keys may pass the end of an interval: each is rounded to such a whole number."""
N_LARGEST = 5
"""How many of the largest contributions a cell keeps; rules look at the first few."""
MOST_EMPTY = 5_000_000
"""Cells of a table whose empty cells are looked at too."""


@dataclass(frozen=True, eq=False)
class Counted:
    """The cells of one table that are not empty."""

    nodes: pl.DataFrame
    """One column per variable: the node of each cell."""
    n: Longs
    """Number of contributors."""
    n_records: Longs
    totals: Floats
    """The value that is published and adds up: weighted, if there are weights."""
    sizes: Floats
    """The same of absolute contributions: what a contribution is compared with."""
    largest: Floats
    """The largest contributions of single contributors, unweighted, the largest first."""
    weights: Floats
    """Their sampling weights."""
    sole: Longs
    """The contributor of a cell that has only one, otherwise −1."""
    whole: Longs
    """The contributor who adds all there is, while others add nothing; −1 if there is none."""
    keys: Longs
    """Sum of the record keys, as whole numbers; zeros without record keys."""
    sum_keys: Longs
    """The same of records that add something: a record of zero does not change a sum's noise."""
    costs: Floats
    """What suppressing the cell costs by a column; zeros without such a column."""
    n_waived: Longs
    """Contributors who agreed to be published."""
    top_waived: Flags
    """Whether the largest contributor is one of them."""

    def __len__(self) -> int:
        """Count the cells."""
        return len(self.n)


def pad_lists(lists: pl.Series, height: int, value: str, weight: str) -> tuple[Floats, Floats]:
    """The largest contributions and their weights as matrices, with zeros at the end."""
    long = pl.DataFrame({"cell": np.arange(height), "top": lists}).explode("top")
    long = long.with_columns(pl.int_range(pl.len()).over("cell").alias("place")).unnest("top")
    values, weights = np.zeros((height, N_LARGEST)), np.ones((height, N_LARGEST))
    at = long["cell"].to_numpy(), long["place"].to_numpy()
    values[at] = np.abs(long[value].to_numpy())
    weights[at] = long[weight].to_numpy()
    return values, weights


def fill_empty(counted: Counted, dimensions: Sequence[Dimension]) -> Counted:
    """The same table with its empty cells, whose value is zero."""
    names = [dimension.name for dimension in dimensions]
    if prod(len(set(one.nodes.tolist())) for one in dimensions) > MOST_EMPTY:
        raise InputError(
            "The table has more than {most:,} cells with the empty ones: leave out the rule on "
            "zeros, or variables.",
            most=MOST_EMPTY,
        )
    every = pl.DataFrame({names[0]: sorted(set(dimensions[0].nodes.tolist()))})
    for dimension in dimensions[1:]:
        codes = pl.DataFrame({dimension.name: sorted(set(dimension.nodes.tolist()))})
        every = every.join(codes, how="cross")
    every = every.cast(counted.nodes.schema)
    empty = every.join(counted.nodes, on=names, how="anti", maintain_order="left")
    arrays = {
        one.name: _lengthen(getattr(counted, one.name), empty.height)
        for one in fields(Counted)
        if one.name != "nodes"
    }
    arrays["sole"][len(counted) :] = arrays["whole"][len(counted) :] = -1
    return Counted(nodes=pl.concat([counted.nodes, empty.select(names)]), **arrays)


def _lengthen(array: Any, n: int) -> Any:
    return np.concatenate([array, np.zeros((n, *array.shape[1:]), dtype=array.dtype)])
