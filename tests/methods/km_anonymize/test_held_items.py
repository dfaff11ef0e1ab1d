from __future__ import annotations

import numpy as np
import polars as pl

from microveil.methods.km_anonymize.held_items import HeldItems, as_items


def held(lists: list[list[str | None] | None], owner: list[int]) -> HeldItems:
    column = pl.Series("x", lists, dtype=pl.List(pl.String))
    groups = np.zeros(max(owner) + 1, dtype=np.int64)
    return HeldItems.of(column, column, np.array(owner), groups)


def test_rows_of_one_owner_are_one_basket_and_items_find_their_entry() -> None:
    found = held([["a", "b"], ["b", None], None], [0, 0, 1])
    label = np.arange(len(found.items.values))
    baskets, names = found.baskets(label, len(label), np.ones(len(found.row), dtype=np.bool_))
    assert baskets.records.tolist() == [0, 0]
    assert found.entry_of(baskets, label, names).tolist() == [0, 1, 1]


def test_what_is_written_is_what_stays() -> None:
    found = held([["b", "a"], [], None], [0, 1, 2])
    texts = as_items(found.items)
    keep = np.ones(2, dtype=np.bool_)
    assert found.write_back(texts, keep, None).to_list() == [["a", "b"], [], None]
    assert found.write_back(texts, ~keep, None).to_list() == [[], [], None]
