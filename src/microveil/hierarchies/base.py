"""HierarchyBuilder: parameters from which a column's hierarchy is built."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import polars as pl

from microveil.errors import ColumnError
from microveil.hierarchies.hierarchy import STAR, Hierarchy, stars
from microveil.specs import Spec
from microveil.tables.door import refuse_nested
from microveil.tables.values import Distinct, plain
from microveil.texts import Message, phrase


class HierarchyBuilder(Spec, ABC):
    """Builds the hierarchy of a column's values."""

    tag: ClassVar[str] = "hierarchy"
    gap_hint: ClassVar[str] = ""
    """What to do about values the builder cannot place, as the start of a sentence."""

    @abstractmethod
    def build(self, values: pl.Series) -> Hierarchy:
        """Build the hierarchy of these values; repeated and missing ones do not matter.

        Values that cannot be placed (text that is not a date, an infinite number) are left out.
        """

    def build_for(self, distinct: Distinct) -> Hierarchy:
        """The hierarchy of a column whose values are known, and how many records have each."""
        return self.build(distinct.values)

    @property
    def row_wise(self) -> bool:
        """Whether a value's labels depend on that value alone, whatever else the column holds."""
        return True

    def level_index(self, hierarchy: Hierarchy, level: int | str) -> int:
        """Index of a level in a hierarchy of this builder."""
        return hierarchy.level_index(level)

    def titles(self, hierarchy: Hierarchy) -> tuple[str, ...]:
        """What each level of a hierarchy of this builder means, in words, without a value.

        Named levels go by their name, others by their number.
        """
        last = hierarchy.height
        between = [
            f"level {index} of {last}" if name == str(index) else name
            for index, name in enumerate(hierarchy.names)
        ]
        words = self._level_words() or tuple(between[1:last])
        return (
            Message("level.itself", "as it is"),
            *words[: last - 1],
            *between[1 + len(words) : last],
            STAR,
        )

    def _level_words(self) -> tuple[str, ...]:
        """Words for the levels between the value itself and ``*``; None if names are enough."""
        return ()


def distinct_values(values: pl.Series) -> pl.Series:
    """Each value once, sorted, without missing ones; categories as text.

    >>> distinct_values(pl.Series([3, None, 1, 3])).to_list()
    [1, 3]
    """
    refuse_nested(values.to_frame(), [values.name], phrase("Building a hierarchy"))
    return plain(values).drop_nulls().unique().sort()


def with_star_on_top(levels: Sequence[pl.Series], names: Sequence[str] = ()) -> Hierarchy:
    """The hierarchy of the given levels with ``*`` on top; labels cut to nothing become ``*`` too.

    The number of levels must not depend on the values, so the top is always added.
    """
    labels = [level.cast(pl.String).replace("", STAR) for level in levels[1:]]
    return Hierarchy.of([levels[0], *labels, stars(len(levels[0]))], names)


def wrong_kind(builder: HierarchyBuilder, values: pl.Series, needs: str) -> ColumnError:
    """The error for a column of a type the builder cannot use."""
    return ColumnError(
        "Hierarchy '{kind}' needs {needs}; column '{name}' holds {dtype}.",
        kind=builder.kind(),
        needs=needs,
        name=values.name,
        dtype=values.dtype,
    )
