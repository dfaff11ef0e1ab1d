"""Units: the categories of a key that may be merged, the rare ones together and never named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.hierarchies import Tree
from microveil.methods import Generalize, GroupRare, Method
from microveil.methods.parts.value_text import value_text

if TYPE_CHECKING:
    from microveil.app.advising.situation import Situation

FEWEST = 3
MOST = 30
"""Categories of a key from which, and up to which, merging is tried."""
LONGEST = 60
"""Characters of a label that lists what it stands for."""
OTHER = "other"


@dataclass(frozen=True, eq=False)
class Units:
    """Frequent categories one by one, then all that fewer than k records have, as one unit.

    A recipe may be published, so it names no category of a few people: they are what is left when
    the others are named.
    """

    name: str
    named: tuple[str, ...]
    rare: bool
    """Whether there is a last unit of rare categories."""
    of_record: Longs
    """Unit of each record; those of missing cells mean nothing."""

    @property
    def n(self) -> int:
        """Number of units."""
        return len(self.named) + self.rare

    @classmethod
    def of(cls, values: pl.Series, k: int) -> Units | None:
        """The units of a column; None if merging has no meaning for it."""
        text = value_text(values).alias("value")
        counts = text.drop_nulls().value_counts(name="count").sort("value")
        if not FEWEST <= counts.height <= MOST or OTHER in counts["value"]:
            return None
        often = counts.filter(pl.col("count") >= k)["value"]
        joined = text.to_frame().join(
            often.to_frame().with_row_index("unit"), on="value", how="left", maintain_order="left"
        )["unit"]
        units = joined.fill_null(len(often)).to_numpy().astype(np.int64)
        found = cls(values.name, tuple(often), len(often) < counts.height, units)
        return found if found.n >= FEWEST else None

    def steps(self, groups: Sequence[int]) -> list[Method]:
        """Steps that merge: named categories under the list of them, the rest as ``other``."""
        if not groups:
            return []
        members: dict[int, list[str]] = {}
        for value, group in zip(self.named, groups, strict=False):
            members.setdefault(group, []).append(value)
        rest = groups[-1] if self.rare else None
        listed = {
            _label(names): names
            for group, names in members.items()
            if group != rest and len(names) > 1
        }
        steps: list[Method] = []
        if listed:
            tree = Tree(tree=listed)
            merged = Generalize(column=self.name, hierarchy=tree, level=1, unlisted="keep")
            steps.append(merged)
        if rest is not None:
            singles = [
                n for g, names in members.items() if g != rest and len(names) == 1 for n in names
            ]
            kept = tuple(sorted((*singles, *listed)))
            steps.append(GroupRare(columns=(self.name,), kept={self.name: kept}, label=OTHER))
        return steps


def _label(names: Sequence[str]) -> str:
    whole = "{" + ", ".join(names) + "}"
    return whole if len(whole) <= LONGEST else f"{names[0]} … {names[-1]} ({len(names)})"


def units_of(here: Situation) -> tuple[Units | None, ...]:
    """The units of each key whose categories have no order that merging would break."""
    return tuple(
        Units.of(here.frame[name], here.k) if _mergeable(here, name) else None for name in here.keys
    )


def _mergeable(here: Situation, name: str) -> bool:
    if name in here.goal.untouched or name in here.hierarchies:
        return False
    if name in here.categories_in([name]):
        return True
    # A measure of levels takes numbers for names as well.
    return here.counts_levels and here.frame[name].dtype.is_integer()
