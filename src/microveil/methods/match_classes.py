"""Give records the labels of classes that are known already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from microveil.arrays import Flags, Longs
from microveil.errors import GoalNotReachedError
from microveil.hierarchies import AnyHierarchy, HierarchyBuilder
from microveil.labels.covering import covering
from microveil.labels.notation import is_noted, is_star
from microveil.labels.recoding import Recoding, at_any_level
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, usable_frame
from microveil.tables import Table
from microveil.tables.values import Distinct, rows_of
from microveil.texts import phrase


class MatchClasses(Method):
    """Give each record the labels of the first known class that covers it; remove the others.

    The classes are those of an earlier release by ``mondrian`` or ``local_recoding``, applied here
    to new records (``microveil fit``). A label
    covers the values it describes: ``[30, 39]``, ``{a, b}``, ``080**``, a label of the column's
    hierarchy, a value itself. ``*`` covers everything, a missing label missing cells only. Time
    grows with the distinct rows of keys times the classes.

    >>> step = MatchClasses(columns=["age", "sex"], classes=[["[30, 39]", "f"], ["[40, 49]", "*"]])
    >>> step.protect({"age": [34, 41, 41, 70], "sex": ["f", "f", "m", "m"]}).rows()
    [('[30, 39]', 'f'), ('[40, 49]', '*'), ('[40, 49]', '*')]
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("keep", "outside")
    method: Literal["match_classes"] = "match_classes"
    columns: SomeColumns
    """The keys, in the order in which a class names its labels."""
    classes: tuple[tuple[str | None, ...], ...] = Field(min_length=1)
    """Classes to choose from: a label for each key; null where a key is missing."""
    hierarchies: Mapping[str, AnyHierarchy] = Field(default_factory=dict)
    """Hierarchies that labels are taken from, by column; labels that describe themselves
    (``[30, 39]``, ``{a, b}``) need none."""
    keep: tuple[str, ...] = ()
    """Keys whose labels are the values themselves: they keep the column's type."""
    outside: Literal["remove", "error"] = "remove"
    """What happens to records that no class covers: they are removed, or the step fails."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if any(len(labels) != len(self.columns) for labels in self.classes):
            raise ValueError("Each class needs one label for each of the columns.")
        strangers = [name for name in (*self.keep, *self.hierarchies) if name not in self.columns]
        if strangers:
            raise ValueError(
                phrase("Column {strangers:quoted} is not among the columns.", strangers=strangers)
            )
        return self

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  no chance
        """Find each record's class, and publish its labels; records without one are removed."""
        frame = usable_frame(table, self.columns, self.kind())
        keys = [self._key(frame[name], place) for place, name in enumerate(self.columns)]
        of_record = _first_covering(keys, len(self.classes))
        outside = of_record < 0
        n_outside = int(outside.sum())
        if n_outside and self.outside == "error":
            raise GoalNotReachedError(
                "{n_outside} of {n_records} records lie outside all known classes. Use "
                "`outside: remove`, or fit the recipe again on more data.",
                n_outside=n_outside,
                n_records=table.height,
            )
        kept = table.filter(~outside)
        changed = [
            pl.Series(name, [labels[place] for labels in self.classes], dtype=pl.String).gather(
                pl.Series(of_record[~outside])
            )
            for place, name in enumerate(self.columns)
            if name not in self.keep
        ]
        n_used = len(np.unique(of_record[~outside]))
        facts: dict[str, Any] = {"n_suppressed": n_outside, "n_classes": n_used}
        return Outcome(kept.with_columns(changed), facts)

    def recodes(self, name: str, values: pl.Series, counts: Longs) -> Recoding | None:
        """What each value becomes at any level, where labels are nodes of a hierarchy."""
        builder = self.hierarchies.get(name)
        return None if builder is None else at_any_level(builder, values, counts)

    def finest_first(self, table: Table) -> Self:
        """The same step with its classes in order: those that cover least of a table come first.

        Where classes overlap, a record then gets the labels that say most.
        """
        sizes = np.zeros(len(self.classes))
        for place, name in enumerate(self.columns):
            key = self._key(table.frame[name], place)
            sizes += np.log1p(key.covers.sum(axis=1))[key.class_labels]
        order = np.argsort(sizes, kind="stable")
        return self.model_copy(update={"classes": tuple(self.classes[at] for at in order)})

    def _key(self, column: pl.Series, place: int) -> _Key:
        texts = pl.Series(column.name, [one[place] for one in self.classes], dtype=pl.String)
        return _key(column, texts, self.hierarchies.get(column.name))


class _Key:
    """Which of a column's values each class covers."""

    def __init__(self, values: Longs, class_labels: Longs, covers: Flags) -> None:
        self.values = values
        """Number of each record's value; the last number is missing."""
        self.class_labels = class_labels
        self.covers = covers
        """(labels, values)."""


def _key(column: pl.Series, texts: pl.Series, builder: HierarchyBuilder | None) -> _Key:
    distinct, labels = Distinct.of(column), Distinct.of(texts)
    n_values = len(distinct.values)
    covers = np.zeros((len(labels.values) + 1, n_values + 1), dtype=np.bool_)
    covers[-1, -1] = True
    if len(labels.values):
        covers[:-1, -1] = is_star(labels.values).to_numpy()
        if n_values:
            covers[:-1, :-1] = _cover_matrix(
                distinct.values.alias(column.name), labels.values, builder
            )
    return _Key(distinct.of_record.astype(np.int64), labels.of_record.astype(np.int64), covers)


def _cover_matrix(values: pl.Series, labels: pl.Series, builder: HierarchyBuilder | None) -> Flags:
    """(labels, values) whether a label covers a value."""
    hierarchy = None if builder is None else builder.build(values)
    known = values
    if hierarchy is None and values.dtype == pl.String:
        # A label that is a word covers that word, not all that begin with it.
        known = pl.concat([values, labels.filter(~is_noted(labels)).alias(values.name)])
    cover = covering(known, labels, hierarchy=hierarchy, strangers=True)
    steps = np.zeros((len(labels), cover.n_values + 1), dtype=np.int32)
    # The covering numbers the labels anew.
    own = cover.labels.of_record
    place = np.empty(len(own), dtype=np.int64)
    place[own] = np.arange(len(own))
    np.add.at(steps, (place[cover.label], cover.low), 1)
    np.add.at(steps, (place[cover.label], cover.high), -1)
    inside = np.cumsum(steps, axis=1) > 0
    inside[:, -1] = False  # a value that the hierarchy does not list has row −1
    found = inside[:, rows_of(values, cover.values)]
    found |= is_star(labels).to_numpy()[:, None]
    return found


def _first_covering(keys: list[_Key], n_classes: int) -> Longs:
    """The first class that covers each record; −1 where none does."""
    rows, of_record = np.unique(
        np.stack([key.values for key in keys], axis=1), axis=0, return_inverse=True
    )
    found = np.full(len(rows), -1, dtype=np.int64)
    for number in range(n_classes):
        open_rows = np.flatnonzero(found < 0)
        if not len(open_rows):
            break
        fits = np.ones(len(open_rows), dtype=np.bool_)
        for place, key in enumerate(keys):
            fits &= key.covers[key.class_labels[number], rows[open_rows, place]]
        found[open_rows[fits]] = number
    return found[of_record.ravel()]
