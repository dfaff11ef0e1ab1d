"""Columns of item sets: lists, text with a separator, or one item in each row of a person."""

from __future__ import annotations

import polars as pl

from microveil.errors import ColumnError
from microveil.tables.door import refuse_nested
from microveil.texts import phrase

TEXTS = (pl.String, pl.Categorical, pl.Enum)


def item_lists(
    sets: pl.Series, separator: str | None, *, several_rows: bool, who: str
) -> pl.Series:
    """The column as lists; with several rows per person, a plain cell is a list of one item.

    A missing cell stays missing. Text is split, and blanks around an item do not count. ``who``
    asks, as it is called in recipes.

    >>> item_lists(pl.Series(["a; b", None]), ";", several_rows=False, who="model").to_list()
    [['a', 'b'], None]
    """
    dtype = sets.dtype
    if isinstance(dtype, pl.Array):
        return sets.arr.to_list()
    if isinstance(dtype, pl.List) or dtype == pl.List:
        return sets
    if separator is not None and dtype in TEXTS:
        stripped = pl.element().str.strip_chars()
        split = sets.cast(pl.String).str.split(separator)
        return split.list.eval(stripped.filter(stripped != "")).alias(sets.name)
    if separator is None and several_rows:
        refuse_nested(sets.to_frame(), (sets.name,), phrase("Step '{step}'", step=who))
        alone = sets.reshape((len(sets), 1)).arr.to_list()
        return alone.to_frame().select(pl.when(sets.is_not_null()).then(alone)).to_series()
    raise ColumnError(
        "{who} needs sets of items, but column '{column}' holds {dtype}. Name a column of lists, "
        "or of text with its `separator`; for one item per row, name the person in roles.entity.",
        who=who,
        column=sets.name,
        dtype=dtype,
    )
