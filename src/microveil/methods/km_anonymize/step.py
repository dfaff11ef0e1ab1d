"""Make sets of items k^m-anonymous."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import polars as pl
from pydantic import Field

from microveil.arrays import Flags, Longs
from microveil.errors import GoalNotReachedError
from microveil.hierarchies import AnyHierarchy
from microveil.methods.km_anonymize.cut import Tree, labels_at, raise_cut
from microveil.methods.km_anonymize.held_items import HeldItems, as_items
from microveil.methods.km_anonymize.suppression import remove_rare
from microveil.methods.parts.base import Method, Outcome
from microveil.privacy.parts.item_lists import item_lists
from microveil.privacy.parts.itemsets import Baskets, rare_occurrences
from microveil.tables import Classes, Table


class _Found(NamedTuple):
    """Labels by item, and which items of the column stay."""

    label: Longs
    kept: Flags
    n_removed: int
    """Items removed, each counted once for its owner."""
    loss: float


class KmAnonymize(Method):
    """Make sets of items k^m-anonymous: whoever knows m items of a set finds k with the same.

    Items are replaced by coarser ones from a hierarchy, the same everywhere (Apriori anonymization,
    Terrovitis, Mamoulis & Kalnis 2008), or removed from the sets in which they are rare. Sets of
    one item come first, then pairs, up to m; each round generalises where most rare sets are ended
    for the least loss. Where the roles link rows to people, a person holds the items of all their
    rows. Missing items are removed, and each set is sorted. The loss in the facts is the mean over
    all items of the share of values that an item could now stand for (NCP), 1 for a removed one.
    Time grows with the number of m-item sets, times some ten rounds.

    >>> step = KmAnonymize(column="items", k=2, m=2)
    >>> step.protect({"items": [["a", "b"], ["a", "b"], ["a", "c"]]})["items"].to_list()
    [['a', 'b'], ['a', 'b'], ['a']]
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("separator", "within_classes")
    method: Literal["km_anonymize"] = "km_anonymize"
    column: str
    """Column of item sets: lists, text with a separator, or one item in each row of a person."""
    k: int = Field(ge=2)
    """Smallest number of records, or people, that may share a set of known items."""
    m: int = Field(default=2, ge=1)
    """Number of items that an intruder may know."""
    hierarchy: AnyHierarchy | None = None
    """How items generalise; without one they can only be removed."""
    suppression_share: float | None = Field(default=None, ge=0, le=1)
    """Largest share of the items that may be removed instead of generalised; by default none with a
    hierarchy, all without."""
    separator: str | None = Field(default=None, min_length=1)
    """Separator between the items, if the column holds text."""
    within_classes: bool = False
    """Whether the intruder also knows the quasi-identifiers: (k, k^m)-anonymity (Poulis et al.
    2013). Make the quasi-identifiers k-anonymous first."""

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  no chance
        """Generalise and remove items; the facts state the loss."""
        table.require([self.column])
        column = table.frame[self.column]
        if column.dtype == pl.Null or not table.height:
            return Outcome(table, self._facts(0, 0, 0, 0.0))
        people = table.people if table.linked else None
        lists = item_lists(column, self.separator, several_rows=people is not None, who=self.kind())
        owner = np.arange(table.height) if people is None else people
        held = HeldItems.of(column, lists, owner, self._groups(table, owner))
        tree = self._tree(held)
        found = self._search(held, tree)
        texts = tree.texts if self.hierarchy is not None else held.items.values
        shown = texts.gather(found.label).alias(self.column)
        after = held.write_back(shown, found.kept, self.separator)
        n_labels = len(np.unique(found.label[held.number[found.kept]]))
        facts = self._facts(len(held.items.values), n_labels, found.n_removed, found.loss)
        return Outcome(table.with_columns([after]), facts)

    def _groups(self, table: Table, owner: Longs) -> Longs:
        """Group of each owner: the class of the quasi-identifiers, if an intruder knows them."""
        groups = np.zeros(int(owner.max(initial=-1)) + 1, dtype=np.int64)
        if self.within_classes:
            groups[owner] = Classes.of(table).record_class
        return groups

    def _tree(self, held: HeldItems) -> Tree:
        if self.hierarchy is None:
            return Tree.flat(as_items(held.items))
        hierarchy = self.hierarchy.build_for(held.items)
        match = hierarchy.match(held.items)
        match.require_all(self.hierarchy.gap_hint)
        return Tree.of(hierarchy, match)

    def _search(self, held: HeldItems, tree: Tree) -> _Found:
        """Generalise until nothing is rare, or removing what is rare stays within bounds."""
        level = np.zeros(len(held.items.values), dtype=np.int64)
        everything = np.ones(len(held.row), dtype=np.bool_)
        plain, _ = held.baskets(tree.of_item[:, 0], len(tree.parent), everything)
        holders = self._holders(held, tree)
        most = self._most_removed(len(plain.items))
        size = 1
        while True:
            label = labels_at(tree, level)
            baskets, names = held.baskets(label, len(tree.parent), everything)
            if most and (stays := remove_rare(baskets, self.k, self.m, most)) is not None:
                return self._settle(held, tree, label, baskets, names, stays)
            size, rare = self._next_rare(baskets, size)
            if rare is None:
                stays = np.ones(len(baskets.items), dtype=np.bool_)
                return self._settle(held, tree, label, baskets, names, stays)
            higher = raise_cut(tree, level, names[baskets.items[rare]], holders)
            if higher is None or np.array_equal(higher, level):
                raise GoalNotReachedError(
                    "Step 'km_anonymize' cannot make column '{column}' {k}^{m}-anonymous by "
                    "generalising alone: too few records hold items. Allow items to be removed: "
                    "raise `suppression_share`.",
                    column=self.column,
                    k=self.k,
                    m=self.m,
                )
            level = higher

    def _next_rare(self, baskets: Baskets, size: int) -> tuple[int, Longs | None]:
        """The rare sets of the smallest size that has any, from ``size`` on."""
        for now in range(size, self.m + 1):
            rare = rare_occurrences(baskets, self.k, now)
            if len(rare):
                return now, rare
        return self.m, None

    def _most_removed(self, n_entries: int) -> float:
        share = self.suppression_share
        if share is None:
            share = 1.0 if self.hierarchy is None else 0.0
        return share * n_entries

    @staticmethod
    def _holders(held: HeldItems, tree: Tree) -> Longs:
        """How many owners have each item."""
        pairs = np.unique(held.owner[held.row] * len(tree.parent) + held.number)
        return np.bincount(pairs % len(tree.parent), minlength=len(held.items.values))

    @staticmethod
    def _settle(
        held: HeldItems, tree: Tree, label: Longs, baskets: Baskets, names: Longs, stays: Flags
    ) -> _Found:
        """Which items of the column stay, and what was given up."""
        entry = held.entry_of(baskets, label, names)
        kept = stays[entry] if len(stays) else np.zeros(len(entry), dtype=np.bool_)
        lost = np.where(kept, tree.loss[label][held.number], 1.0)
        return _Found(label, kept, int((~stays).sum()), float(lost.mean()) if len(lost) else 0.0)

    def _facts(self, before: int, after: int, n_removed: int, loss: float) -> dict[str, Any]:
        return {
            "column": self.column,
            "n_items_before": before,
            "n_items_after": after,
            "n_removed": n_removed,
            "loss": loss,
        }
