"""t-closeness."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from microveil.errors import ColumnError, InputError
from microveil.hierarchies import AnyHierarchy, build_hierarchy
from microveil.privacy.parts.distribution import Distribution
from microveil.privacy.parts.earth_movers import equal_distances, ordered_distances, tree_distances
from microveil.privacy.parts.sensitive import ROUNDING, Judged, SensitiveModel
from microveil.tables.kinds import has_order
from microveil.tables.values import as_text, rows_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEVERAL_VALUES = (
    "People with several values count once for each, because sets of values have no distance."
)


class TCloseness(SensitiveModel):
    """The distribution of sensitive values in every class is close to the table's (Li et al. 2007).

    The earth mover's distance between the shares of the values in a class and in the whole table is
    at most t. Distances between values: *equal*, any two are 1 apart; *ordered*, by rank, with the
    first and the last 1 apart (equal steps, whatever the gaps between numbers); *hierarchical*, by
    the level at which a hierarchy joins them. A missing value is a value of its own: last in the
    order, and apart from all others in a hierarchy. The reference is the table being checked,
    without records that a step removed.

    >>> from microveil.tables import Roles
    >>> wages = {"group": ["a", "a", "b", "b"], "wage": [10, 20, 20, 30]}
    >>> roles = Roles(quasi_identifiers=["group"], sensitive=["wage"])
    >>> TCloseness(t=0.2, distance="ordered").check(wages, roles).achieved
    0.25
    """

    model: Literal["t_closeness"] = "t_closeness"
    monotone: ClassVar[bool] = True
    t: float = Field(ge=0, le=1)
    """Largest distance between a class and the table."""
    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    """How far apart two values are: ``equal``, ``ordered`` or ``hierarchical``."""
    hierarchy: AnyHierarchy | None = None
    """Hierarchy of the values, for ``hierarchical``: a builder, a path or an inline tree."""
    order: tuple[str, ...] = ()
    """Text values from low to high, for ``ordered``; numbers and dates have a natural order."""

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        if (self.hierarchy is not None) != (self.distance == "hierarchical"):
            msg = "the hierarchical distance needs a hierarchy, and no other distance takes one"
            raise ValueError(msg)  # so that pydantic lists it with the recipe's other problems
        if self.order and self.distance != "ordered":
            msg = "only the ordered distance takes an order of values"
            raise ValueError(msg)
        if len(set(self.order)) < len(self.order):
            msg = "order lists a value twice"
            raise ValueError(msg)
        if not (self.column is None or isinstance(self.column, str)) and (
            self.hierarchy is not None or self.order
        ):
            msg = "a hierarchy or an order is for one column: require t_closeness once per column"
            raise ValueError(msg)
        return self

    @property
    def title(self) -> str:
        """The requirement in words."""
        return f"{self.t:g}-closeness ({self.distance} distance)"

    @property
    def required(self) -> float:
        """Largest distance allowed."""
        return self.t

    def judge(self, found: Distribution) -> Judged:
        """Distance of each class."""
        if self.distance == "equal":
            reached = equal_distances(found)
            return Judged(reached, reached > self.t + ROUNDING)
        if found.single is not None:
            # Sets of values have no distance, so a person counts once for each value.
            single = self.judge(found.single)
            return single._replace(note=SEVERAL_VALUES)
        if self.distance == "ordered":
            reached = ordered_distances(_reordered(found, self.order))
        else:
            reached = tree_distances(found, self._levels(found))
        return Judged(reached, reached > self.t + ROUNDING)

    def _levels(self, found: Distribution) -> NDArray[np.int32]:
        """Node of each value at each level below the top; missing is a node of its own."""
        labels = _labels(found)
        known = labels.drop_nulls()
        hierarchy = build_hierarchy(self.hierarchy, known)
        match = hierarchy.match(known)
        match.require_all("Add what is missing to the hierarchy of the sensitive values")
        rows = rows_of(known, hierarchy.values)
        levels = hierarchy.codes[rows][:, : hierarchy.height]
        if len(known) == len(labels):
            return levels
        return np.vstack([levels, levels.max(axis=0, initial=-1) + 1], dtype=np.int32)


def _labels(found: Distribution) -> pl.Series:
    if found.labels is None:
        raise InputError(
            f"Distances between the values of column '{found.column}' need the values, but only "
            "class counts are available. Use `distance: equal`."
        )
    return found.labels


def _reordered(found: Distribution, order: tuple[str, ...]) -> Distribution:
    """The distribution recoded to the given order; unchanged if the values have their own."""
    labels = _labels(found)
    if not order:
        if not has_order(labels.dtype) and labels.drop_nulls().len():
            raise ColumnError(
                f"Column '{found.column}' is text, which has no order of its own. List its values "
                "from low to high as `order`, or use `distance: equal` or `hierarchical`."
            )
        return found
    wanted = pl.Series([*order], dtype=pl.String)
    text = as_text(labels)
    place = rows_of(text.drop_nulls(), wanted).astype(np.int64)
    if (place < 0).any():
        raise ColumnError(
            f"Column '{found.column}': {int((place < 0).sum())} distinct values are not in `order`."
        )
    # Values listed but absent from the table take no place in its order.
    rank = np.argsort(np.argsort(place))
    codes = np.append(rank, len(rank)) if text.null_count() else rank
    moved = codes[found.values]
    entry = np.lexsort((moved, found.classes))
    totals = np.empty_like(found.totals)
    totals[codes] = found.totals
    return Distribution(
        found.column,
        found.classes,
        moved[entry],
        found.counts[entry],
        totals,
        None,
        found.n_classes,
    )
