"""Masked and shortened codes: postcodes, phone numbers, classifications."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal, Self

import polars as pl
from pydantic import Field, model_validator

from microveil.hierarchies.base import HierarchyBuilder, distinct_values, with_star_on_top
from microveil.hierarchies.hierarchy import STAR, Hierarchy
from microveil.tables.values import as_text
from microveil.texts import Message

Length = Annotated[int, Field(ge=1)]


class Digits(HierarchyBuilder):
    """Codes masked character by character: 08003 → 0800* → 080** → … → ``*``.

    A fully masked code is ``*``, whatever its length.

    >>> Digits().build(pl.Series(["08003", "17"])).frame.rows()[0]
    ('08003', '0800*', '080**', '08***', '0****', '*')
    """

    hierarchy: Literal["digits"] = "digits"
    side: Literal["right", "left"] = "right"
    """Side on which masking starts."""
    masked: tuple[Length, ...] = ()
    """Number of characters masked at each level, ascending; by default one more per level."""
    char: str = Field(default="*", min_length=1, max_length=1)
    """Character that replaces masked ones."""
    pad: str | None = Field(default=None, min_length=1, max_length=1)
    """Character used to pad shorter codes on the left before masking."""
    length: Length | None = None
    """Length to pad to; by default that of the longest code in the column."""

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        if any(a >= b for a, b in pairwise(self.masked)):
            raise ValueError(
                "`masked` must be ascending."
            )  # so that pydantic lists it with the recipe's other problems
        if self.length is not None and self.pad is None:
            raise ValueError("`length` goes with `pad`: give the character to pad with.")
        return self

    @property
    def row_wise(self) -> bool:
        """Whether a code's labels depend on that code alone: not if padded to the longest."""
        return self.pad is None or self.length is not None

    def level_index(self, hierarchy: Hierarchy, level: int | str) -> int:
        """Index of a level; masking more characters than the longest code has gives ``*``."""
        if isinstance(level, int) and level >= hierarchy.height and not self.masked:
            return hierarchy.height
        return hierarchy.level_index(level)

    def titles(self, hierarchy: Hierarchy) -> tuple[str, ...]:
        """How many characters each level masks."""
        counts = self.masked or tuple(range(1, hierarchy.height))
        words = (Message("level.masked", "{count} masked", count=count) for count in counts)
        return (Message("level.itself", "as it is"), *words, STAR)

    def build(self, values: pl.Series) -> Hierarchy:
        """Mask the distinct codes; numbers are masked as written."""
        values = distinct_values(values)
        text = as_text(values)
        if self.pad is not None:
            text = text.str.pad_start(self.length or _longest(text), self.pad)
        counts = self.masked or tuple(range(1, _longest(text)))
        return with_star_on_top([values, *(self._mask(text, count) for count in counts)])

    def _mask(self, text: pl.Series, count: int) -> pl.Series:
        whole = pl.col("text")
        mask = pl.lit(self.char * count)
        left_over = whole.str.len_chars().cast(pl.Int64) - count
        if self.side == "right":
            label = whole.str.head(left_over.clip(0)) + mask
        else:
            label = mask + whole.str.slice(count)
        label = pl.when(left_over <= 0).then(pl.lit(STAR)).otherwise(label)
        return text.to_frame("text").select(label.alias("label")).to_series()


class Prefix(HierarchyBuilder):
    """Codes truncated to their first characters, or to their first parts: C34.1 → C34 → C.

    >>> Prefix(lengths=[3, 1]).build(pl.Series(["C34.1"])).frame.rows()
    [('C34.1', 'C34', 'C', '*')]
    """

    hierarchy: Literal["prefix"] = "prefix"
    lengths: tuple[Length, ...] = Field(min_length=1)
    """Number of characters (or parts) kept at each level, descending; shorter codes stay whole."""
    separator: str | None = Field(default=None, min_length=1)
    """Separator, to count parts instead of characters."""

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        if any(a <= b for a, b in pairwise(self.lengths)):
            raise ValueError(
                "`lengths` must be descending."
            )  # so that pydantic lists it with the recipe's other problems
        return self

    def _level_words(self) -> tuple[str, ...]:
        what = "characters" if self.separator is None else "parts"
        return tuple(f"first {length} {what}" for length in self.lengths)

    def build(self, values: pl.Series) -> Hierarchy:
        """Truncate the distinct codes; numbers are truncated as written."""
        values = distinct_values(values)
        text = as_text(values)
        return with_star_on_top([values, *(self._cut(text, length) for length in self.lengths)])

    def _cut(self, text: pl.Series, length: int) -> pl.Series:
        if self.separator is None:
            return text.str.head(length)
        parts = text.str.split(self.separator).list.head(length)
        return parts.list.join(self.separator)


def _longest(text: pl.Series) -> int:
    return int(text.str.len_chars().to_numpy().max(initial=1))
