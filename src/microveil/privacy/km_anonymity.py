"""k^m-anonymity."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.privacy.parts.base import Check, PrivacyModel
from microveil.privacy.parts.distribution import ordered_codes, record_classes, table_of
from microveil.privacy.parts.item_lists import item_lists
from microveil.privacy.parts.itemsets import Baskets, rare_itemsets
from microveil.tables import LazyTable
from microveil.tables.door import refuse_nested
from microveil.texts import Message, phrase

if TYPE_CHECKING:
    from microveil.arrays import Longs
    from microveil.tables import Classes, Roles

ROWS_COUNTED = Message(
    "title.sets_items_were_counted", "Sets of items were counted by row, not by person."
)


class KmAnonymity(PrivacyModel):
    """An intruder who knows up to m items always matches k records (Terrovitis et al. 2008).

    Each record holds a set of items, such as products bought or diagnoses. Every set of at most m
    items that occurs in some record occurs in at least k records. The column holds lists, text with
    a separator, or one item in each of a person's rows. Repeated items count once, a missing item
    is an item of its own, and a missing or empty list reveals nothing. Where rows are linked to
    people, a person holds the items of all their rows. With ``within_classes`` the intruder also
    knows the quasi-identifiers, and the k records must lie in one class ((k, k^m)-anonymity, Poulis
    et al. 2013). When the requirement fails, the classes reported are those of records with rare
    sets, and only those records are counted.

    Monotone in the quasi-identifiers. Time grows with the number of m-item sets in the records: a
    record of s items has s choose m.

    >>> from microveil.tables import Roles
    >>> baskets = {"items": [["ale", "rye"], ["ale", "rye"], ["ale", "oil"], ["oil"]]}
    >>> check = KmAnonymity(k=2, m=2, column="items").check(baskets, Roles())
    >>> check.achieved, check.n_broken
    (1, 1)
    """

    model: Literal["km_anonymity"] = "km_anonymity"
    monotone: ClassVar[bool] = True
    k: int = Field(ge=2)
    """Smallest number of records that may share a set of known items."""
    m: int = Field(ge=1)
    """Number of items of a record that an intruder may know."""
    column: str
    """Column of item sets: lists, text with a separator, or one item in each row of a person."""
    separator: str | None = Field(default=None, min_length=1)
    """Separator between the items, if the column holds text."""
    within_classes: bool = False
    """Whether the intruder also knows the quasi-identifiers."""

    def reads(self, roles: Roles) -> tuple[str, ...]:  # noqa: ARG002  named, whatever the roles
        """The column of item sets."""
        return (self.column,)

    def verify(self, classes: Classes) -> Check:
        """Count all sets of up to m items."""
        sets = self._sets(classes)
        of_record = record_classes(classes)
        owner = np.arange(len(sets))
        if classes.people is not None and classes.linked:
            owner = classes.people
        found = rare_itemsets(self._baskets(sets, classes, of_record, owner), self.k, self.m)
        exposed = found.exposed[owner]
        by_row = classes.people is not None and not classes.linked
        return Check(
            model=self.kind(),
            title=Message("title.km_anonymity", "{k}^{m}-anonymity", k=self.k, m=self.m),
            required=self.k,
            achieved=found.least,
            broken_in=np.unique(of_record[exposed]),
            n_broken=int(exposed.sum()),
            n_records=classes.n_records,
            notes=(ROWS_COUNTED,) if by_row else (),
        )

    def _sets(self, classes: Classes) -> pl.Series:
        """The column as lists."""
        table = table_of(classes, self.kind())
        table.require([self.column])
        if isinstance(table, LazyTable):
            sets = table.plan.select(self.column).collect(engine="streaming")[self.column]
        else:
            sets = table.frame[self.column]
        linked = classes.people is not None and classes.linked
        lists = item_lists(sets, self.separator, several_rows=linked, who=self.kind())
        return lists.alias(self.column)

    def _baskets(
        self,
        sets: pl.Series,
        classes: Classes,
        of_record: Longs,
        owner: Longs,
    ) -> Baskets:
        """One entry per owner and item; within classes, items of two classes are distinct."""
        of_owner = np.zeros(int(owner.max(initial=-1)) + 1, dtype=np.int64)
        of_owner[owner] = of_record
        frame = pl.DataFrame({"record": owner, "item": sets})
        filled = frame.filter(pl.col("item").list.len() > 0)
        entries = filled.explode("item").unique(["record", "item"])
        refuse_nested(entries, ["item"], phrase("An item of a set"))
        codes, labels = ordered_codes(entries["item"].alias(self.column))
        records = entries["record"].to_numpy()
        n_items = max(len(labels), 1)
        if self.within_classes:
            codes = codes + of_owner[records] * n_items
            n_items *= max(classes.n_classes, 1)
            _, codes = np.unique(codes, return_inverse=True)
            n_items = int(codes.max(initial=0)) + 1
        order = np.lexsort((codes, records))
        return Baskets(records[order], codes[order], len(of_owner), n_items)
