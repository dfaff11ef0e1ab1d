"""Who holds which items: one entry for each owner and item, and the way back to the column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from microveil.arrays import Flags, Longs
from microveil.methods.parts.value_text import value_text
from microveil.privacy.parts.itemsets import Baskets
from microveil.tables.values import Distinct


@dataclass(frozen=True, eq=False)
class HeldItems:
    """The items of a column: where each stands, and whose it is."""

    column: pl.Series
    lists: pl.Series
    owner: Longs
    """Owner of each row: the row itself, or its person."""
    group: Longs
    """Group of each owner within which sets are counted."""
    row: Longs
    """Row of each item that stands in the column."""
    items: Distinct
    """The items that stand there."""
    number: Longs
    """Number of each of them among the distinct ones."""

    @classmethod
    def of(cls, column: pl.Series, lists: pl.Series, owner: Longs, group: Longs) -> HeldItems:
        """Take the lists apart; missing items are left out."""
        frame = pl.DataFrame({"row": np.arange(len(lists)), "item": lists})
        flat = frame.filter(pl.col("item").list.len() > 0).explode("item").drop_nulls("item")
        items = Distinct.of(flat["item"].alias(column.name))
        number = items.of_record.astype(np.int64)
        return cls(column, lists, owner, group, flat["row"].to_numpy(), items, number)

    def baskets(self, label_of_item: Longs, n_labels: int, kept: Flags) -> tuple[Baskets, Longs]:
        """Entries of owners and labels, and the label of each number used in them.

        ``kept`` says of each item in the column whether it still stands. Labels in two groups have
        different numbers.
        """
        label = label_of_item[self.number][kept]
        owner = self.owner[self.row][kept]
        numbered = self.group[owner] * n_labels + label
        known, number = np.unique(numbered, return_inverse=True)
        pairs = np.unique(owner * max(len(known), 1) + number)
        owners, numbers = np.divmod(pairs, max(len(known), 1))
        n_owners = int(self.owner.max(initial=-1)) + 1
        return Baskets(owners, numbers, n_owners, max(len(known), 1)), known % n_labels

    def entry_of(self, baskets: Baskets, label_of_item: Longs, labels: Longs) -> Longs:
        """The entry of each item in the column; −1 if it is in none."""
        n_labels = int(max(label_of_item.max(initial=0), labels.max(initial=0))) + 1
        keys = baskets.records * n_labels + labels[baskets.items]
        order = np.argsort(keys)
        sought = self.owner[self.row] * n_labels + label_of_item[self.number]
        if not len(keys):
            return np.full(len(sought), -1, dtype=np.int64)
        place = np.minimum(np.searchsorted(keys[order], sought), len(keys) - 1)
        return np.where(keys[order][place] == sought, order[place], -1)

    def write_back(self, texts: pl.Series, kept: Flags, separator: str | None) -> pl.Series:
        """The column with each item replaced by its text; removed items are gone."""
        row, name = self.row[kept], self.column.name
        shown = texts.gather(self.number[kept])
        flat = pl.DataFrame({"row": row, "item": shown}).unique().sort("row", "item")
        sets = flat.group_by("row", maintain_order=True).agg("item")
        empty = pl.Series("item", [[]], dtype=pl.List(texts.dtype))
        every = pl.DataFrame({"row": np.arange(len(self.lists)), "there": self.lists.is_not_null()})
        joined = every.join(sets, on="row", how="left", maintain_order="left").select(
            pl.when("there").then(pl.col("item").fill_null(empty))
        )["item"]
        if isinstance(self.column.dtype, pl.List | pl.Array):
            return joined.alias(name)
        if separator is None:
            return joined.list.first().alias(name)
        return joined.cast(pl.List(pl.String)).list.join(separator).alias(name)


def as_items(items: Distinct) -> pl.Series:
    """The distinct items as text."""
    return value_text(items.values)
