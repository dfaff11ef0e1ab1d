"""t-closeness."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, Self, TypeAlias

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from microveil.errors import ColumnError, InputError
from microveil.hierarchies import AnyHierarchy, build_hierarchy
from microveil.privacy.parts.distribution import Distribution
from microveil.privacy.parts.divergences import (
    hellinger_distances,
    kolmogorov_smirnov_distances,
    kullback_leibler_distances,
)
from microveil.privacy.parts.earth_movers import equal_distances, ordered_distances, tree_distances
from microveil.privacy.parts.sensitive import ROUNDING, Judged, SensitiveModel
from microveil.tables.kinds import has_order
from microveil.tables.values import as_text, rows_of
from microveil.texts import Message, phrase

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Distances: TypeAlias = Callable[[Distribution], NDArray[np.float64]]

SEVERAL_VALUES = Message(
    "title.people_several_values_count",
    "People with several values count once for each, because sets of values have no distance.",
)

BY_SHARES: Mapping[str, Distances] = {
    "equal": equal_distances,
    "total_variation": equal_distances,
    "hellinger": hellinger_distances,
    "kullback_leibler": kullback_leibler_distances,
}
"""Distances that need the shares of the values and nothing else."""
BY_ORDER: Mapping[str, Distances] = {
    "ordered": ordered_distances,
    "kolmogorov_smirnov": kolmogorov_smirnov_distances,
}
"""Distances that need an order of the values."""
TITLES = {
    "total_variation": Message("title.total_variation", "total variation"),
    "equal": Message("title.equal", "equal"),
    "ordered": Message("title.ordered", "ordered"),
    "hierarchical": Message("title.hierarchical", "hierarchical"),
    "hellinger": "Hellinger",
    "kullback_leibler": "Kullback-Leibler",
    "kolmogorov_smirnov": "Kolmogorov-Smirnov",
}


class TCloseness(SensitiveModel):
    """The distribution of sensitive values in every class is close to the table's (Li et al. 2007).

    The distance between the shares of the values in a class (p) and in the whole table (q) is at
    most t. Earth mover's distances, by how far two values are apart: *equal*, any two are 1 apart;
    *ordered*, by their places in the order of the values, the first and the last 1 apart (equal
    steps, whatever the gaps between numbers); *hierarchical*, by the level at which a hierarchy
    joins them. Others: *total_variation*, ½ Σ|p − q|, the same as equal; *hellinger*,
    √(1 − Σ√(p·q)); *kullback_leibler*, Σ p·log₂(p/q), in bits, which may exceed 1;
    *kolmogorov_smirnov*, the largest difference of the cumulated shares. A missing value is a value
    of its own: the last in the order, beside all others in a hierarchy. The reference is the table
    that is checked: records that a step removed do not count.

    >>> from microveil.tables import Roles
    >>> wages = {"group": ["a", "a", "b", "b"], "wage": [10, 20, 20, 30]}
    >>> roles = Roles(quasi_identifiers=["group"], sensitive=["wage"])
    >>> TCloseness(t=0.2, distance="ordered").check(wages, roles).achieved
    0.25
    """

    model: Literal["t_closeness"] = "t_closeness"
    monotone: ClassVar[bool] = True
    t: float = Field(ge=0)
    """Largest distance between a class and the table; at most 1, except for
    ``kullback_leibler``."""
    distance: Literal[
        "equal",
        "ordered",
        "hierarchical",
        "total_variation",
        "hellinger",
        "kullback_leibler",
        "kolmogorov_smirnov",
    ] = "equal"
    """Between the shares of a class and of the table: the earth mover's with values that are
    ``equal``, ``ordered`` or ``hierarchical``; or ``total_variation``, ``hellinger``,
    ``kullback_leibler`` (bits) or ``kolmogorov_smirnov``."""
    hierarchy: AnyHierarchy | None = None
    """Hierarchy of the values, for ``hierarchical``: a builder, a path or an inline tree."""
    order: tuple[str, ...] = ()
    """Text values from low to high, for ``ordered`` and ``kolmogorov_smirnov``; numbers and dates
    have their order."""

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        if (self.hierarchy is not None) != (self.distance == "hierarchical"):
            raise ValueError(
                "the hierarchical distance needs a hierarchy, and no other distance has one"
            )  # pydantic's way to be listed with the recipe's other problems
        if self.t > 1 and self.distance != "kullback_leibler":
            raise ValueError(
                phrase("t is at most 1: the {named} is never larger", named=self._named)
            )
        if self.order and self.distance not in BY_ORDER:
            raise ValueError(
                "an order of values belongs to the ordered or the Kolmogorov-Smirnov distance"
            )
        if len(set(self.order)) < len(self.order):
            raise ValueError("order lists a value twice")
        if not (self.column is None or isinstance(self.column, str)) and (
            self.hierarchy is not None or self.order
        ):
            raise ValueError(
                "a hierarchy or an order is for one column: require t_closeness once per column"
            )
        return self

    @property
    def title(self) -> str:
        """The requirement in words."""
        return Message(
            "title.closeness", "{t:g}-closeness ({distance})", t=self.t, distance=self._named
        )

    @property
    def _named(self) -> str:
        name = TITLES.get(self.distance, self.distance)
        return Message("title.distance", "{name} distance", name=name)

    @property
    def required(self) -> float:
        """Largest distance allowed."""
        return self.t

    def judge(self, found: Distribution) -> Judged:
        """Distance of each class."""
        if self.distance in BY_SHARES:
            reached = BY_SHARES[self.distance](found)
            return Judged(reached, reached > self.t + ROUNDING)
        if found.single is not None:
            # Sets of values have no distance, so a person counts once for each value.
            single = self.judge(found.single)
            return single._replace(note=SEVERAL_VALUES)
        if self.distance in BY_ORDER:
            reached = BY_ORDER[self.distance](_reorder(found, self.order))
        else:
            reached = tree_distances(found, self._levels(found))
        return Judged(reached, reached > self.t + ROUNDING)

    def _levels(self, found: Distribution) -> NDArray[np.int32]:
        """Node of each value at each level below the top; missing is a node of its own."""
        labels = _labels(found)
        known = labels.drop_nulls()
        hierarchy = build_hierarchy(self.hierarchy, known)
        match = hierarchy.match(known)
        match.require_all(phrase("Add what is missing to the hierarchy of the sensitive values"))
        rows = rows_of(known, hierarchy.values)
        levels = hierarchy.codes[rows][:, : hierarchy.height]
        if len(known) == len(labels):
            return levels
        return np.vstack([levels, levels.max(axis=0, initial=-1) + 1], dtype=np.int32)


def _labels(found: Distribution) -> pl.Series:
    if found.labels is None:
        raise InputError(
            "Distances between the values of column '{column}' need the values, but only "
            "class counts are available. Use `distance: equal`.",
            column=found.column,
        )
    return found.labels


def _reorder(found: Distribution, order: tuple[str, ...]) -> Distribution:
    """The distribution recoded to the given order; unchanged if the values have their own."""
    labels = _labels(found)
    if not order:
        if not has_order(labels.dtype) and labels.drop_nulls().len():
            raise ColumnError(
                "Column '{column}' is text, which has no order of its own. List its values "
                "from low to high as `order`, or use `distance: equal` or `hierarchical`.",
                column=found.column,
            )
        return found
    wanted = pl.Series([*order], dtype=pl.String)
    text = as_text(labels)
    place = rows_of(text.drop_nulls(), wanted).astype(np.int64)
    if (place < 0).any():
        raise ColumnError(
            "Column '{column}': {n_cells} distinct values are not in `order`.",
            column=found.column,
            n_cells=int((place < 0).sum()),
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
