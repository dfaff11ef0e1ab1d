"""Hierarchies that merge neighbouring values in an order, or suppress the rarest values."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field, model_validator

from microveil.errors import HierarchyError
from microveil.hierarchies.base import HierarchyBuilder, distinct_values, with_star_on_top
from microveil.hierarchies.hierarchy import STAR, Hierarchy
from microveil.tables.values import Distinct, as_text, plain, rows_of

GroupSize = Annotated[int, Field(ge=2)]
SPECIAL = r"([\\,{}])"
"""Characters that are escaped by a backslash inside a set."""


class Order(HierarchyBuilder):
    """Merge neighbouring values of an order: pairs of values, then pairs of groups, and so on.

    Numbers and dates are labelled by their ends (``[31, 38]``), text by its members (``{low,
    medium}``). ARX calls this order-based.

    >>> ranks = Order(sizes=[2], order=["low", "medium", "high"])
    >>> ranks.build(pl.Series(["high", "low"])).frame.rows()
    [('low', '{low, medium}', '*'), ('medium', '{low, medium}', '*'), ('high', 'high', '*')]
    """

    hierarchy: Literal["order"] = "order"
    sizes: tuple[GroupSize, ...] = Field(default=(2, 2, 2), min_length=1)
    """How many values, then how many groups, are merged into one at each level."""
    order: tuple[str, ...] = ()
    """The values in order; by default the column's own values in their natural order."""

    @property
    def row_wise(self) -> bool:
        """Whether the order is given, so that groups do not depend on the column's values."""
        return bool(self.order)

    def build(self, values: pl.Series) -> Hierarchy:
        """Merge neighbours; values that are not in a given order are left out."""
        values = pl.Series(self.order, dtype=pl.String) if self.order else distinct_values(values)
        place = np.arange(len(values))
        levels = [values]
        width = 1
        for size in self.sizes:
            width *= size
            levels.append(self._labels(values, place // width))
        return with_star_on_top(levels)

    def _labels(self, values: pl.Series, group: NDArray[np.int64]) -> pl.Series:
        text = as_text(values)
        frame = pl.DataFrame({"text": text, "group": group})
        if values.dtype == pl.String:
            member = pl.col("text").str.replace_all(SPECIAL, r"\${1}")
            label = pl.concat_str(pl.lit("{"), member.str.join(", "), pl.lit("}"))
        else:
            label = pl.format("[{}, {}]", pl.col("text").first(), pl.col("text").last())
        alone = pl.when(pl.len() == 1).then(pl.col("text").first()).otherwise(label)
        labels = frame.group_by("group", maintain_order=True).agg(alone.alias("label"))
        return frame.join(labels, on="group", how="left", maintain_order="left")["label"]

    def _level_words(self) -> tuple[str, ...]:
        widths = np.cumprod(self.sizes).tolist()
        return tuple(f"groups of {width}" for width in widths)


class Frequency(HierarchyBuilder):
    """Replace the rarest values by ``*``, more of them at each level.

    Frequencies are counted in the column, so that a level replaces the same share of its values
    in every table. ARX calls this priority-based.

    >>> pets = pl.Series(["cat", "cat", "cat", "dog", "dog", "owl"])
    >>> Frequency(min_counts=[2]).build(pets).frame.rows()
    [('cat', 'cat', '*'), ('dog', 'dog', '*'), ('owl', '*', '*')]
    """

    hierarchy: Literal["frequency"] = "frequency"
    steps: int = Field(default=4, ge=1)
    """Number of levels between the values and ``*``; each replaces equally many more values."""
    min_counts: tuple[Annotated[int, Field(ge=2)], ...] = ()
    """Instead of steps: the smallest count of a value that stays, for each level, ascending."""

    @model_validator(mode="after")
    def _ascends(self) -> Self:
        if any(a >= b for a, b in pairwise(self.min_counts)):
            raise ValueError(
                "`min_counts` must be ascending."
            )  # pydantic lists it with the recipe's other problems
        return self

    @property
    def row_wise(self) -> bool:
        """Never: frequencies depend on the whole column."""
        return False

    def build(self, values: pl.Series) -> Hierarchy:
        """Count the values of a column, and replace the rare ones."""
        counts = plain(values).drop_nulls().alias("value").value_counts(name="count")
        return self._build(counts["value"], counts["count"].to_numpy())

    def build_for(self, distinct: Distinct) -> Hierarchy:
        """The same for values that have been counted."""
        counts = np.bincount(distinct.of_record, minlength=len(distinct.values) + 1)[:-1]
        return self._build(plain(distinct.values), counts)

    def _build(self, values: pl.Series, counts: NDArray[np.int64]) -> Hierarchy:
        order = np.lexsort((as_text(values).to_numpy(), -counts.astype(np.int64)))
        values, counts = values.gather(pl.Series(order)), counts[order]
        text = as_text(values)
        levels = [
            text.zip_with(pl.Series(kept), _stars(text)) for kept in self._kept_values(counts)
        ]
        return with_star_on_top([values, *levels])

    def _kept_values(self, counts: NDArray[np.int64]) -> list[NDArray[np.bool_]]:
        """Which values stay at each level, given counts in descending order."""
        if self.min_counts:
            return [counts >= least for least in self.min_counts]
        # Among equally frequent values only the alphabet would decide which are replaced: all stay.
        last = [len(counts) * step // (self.steps + 1) for step in range(self.steps, 0, -1)]
        return [counts >= (counts[max(at - 1, 0)] if len(counts) else 0) for at in last]

    def _level_words(self) -> tuple[str, ...]:
        if self.min_counts:
            return tuple(f"at least {least} records" for least in self.min_counts)
        return tuple(f"rarest {step} of {self.steps + 1}" for step in range(1, self.steps + 1))


def _stars(text: pl.Series) -> pl.Series:
    return pl.Series(text.name, [STAR], dtype=pl.String).new_from_index(0, len(text))


def skeleton(values: pl.Series) -> Hierarchy:
    """A hierarchy to be filled in by hand: each value of a column, all in one group.

    >>> skeleton(pl.Series(["Rome", "Oslo", "Rome"])).frame.rows()
    [('Oslo', 'group', '*'), ('Rome', 'group', '*')]
    """
    distinct = distinct_values(values)
    if not len(distinct):
        raise HierarchyError(
            "Column '{name}' has no values to make a hierarchy of.", name=values.name
        )
    group = pl.Series(["group"], dtype=pl.String).new_from_index(0, len(distinct))
    return with_star_on_top([distinct, group])


def unlisted_values(hierarchy: Hierarchy, column: pl.Series) -> list[str]:
    """Values of a column that a hierarchy does not list; only for whoever holds the data."""
    values = distinct_values(column)
    rows = rows_of(values, hierarchy.values)
    return as_text(values.filter(pl.Series(rows < 0))).to_list()
