"""One reading of an original and its release, on which every record-comparing measure stands.

A measure that compares records asks a :class:`Reading`, and parses nothing itself:

- ``reading.column(name)`` is a :class:`~microveil.pairs.columns.Column`, its labels read once for
  all measures. ``column.cover.members(label)`` are the original values a label stands for, as
  positions in ``column.values``; ``column.chances`` the share of the originals it leaves possible;
  ``column.codes`` the value or label of each record; ``column.labelled`` is False where the release
  shows values as they are. ``column.labels`` adds what paired rows show about labels that cannot be
  read.
- ``reading.link``: the original row behind each released row, or None; ``reading.removed`` the
  original rows that were not released.
- ``reading.weights``: the sampling weight of each record before and after, if the roles name one.
- ``reading.people`` and ``reading.people_released``: the person of each row if the roles name an
  entity, else None; ``reading.once(columns)`` keeps one of several rows that say the same about one
  person, so that duplicated rows change nothing.

How labels were made comes from the recipe's steps, or from hierarchies; both are followed in the
same way (:mod:`microveil.labels.recoding`). NaN is missing. An infinite number is a value like any
other, beyond all finite ones, and takes no column away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs
from microveil.labels.recoding import ByHierarchy, Recoder
from microveil.pairs.alignment import common_columns, is_paired
from microveil.pairs.columns import Column, column_of, row_link
from microveil.pairs.sample_weights import sample_weights
from microveil.tables.codes import pack
from microveil.tables.kinds import is_number
from microveil.tables.values import as_text

if TYPE_CHECKING:
    from microveil.hierarchies import HierarchyBuilder
    from microveil.tables import Table


class Steps(Protocol):
    """What a reading needs to know about the recipe that made a release."""

    @property
    def steps(self) -> Sequence[Any]:
        """The steps that were applied; those that recode have ``recodes`` and ``touches``."""

    def beside_its_files(self) -> AbstractContextManager[None]:
        """Within this block, resolve files named in the recipe against its folder."""


@dataclass(frozen=True, eq=False)
class Reading:
    """An original and its release, read once for all measures."""

    original: Table
    released: Table
    control: Table | None = None
    """Records of the same population that were not used for the release."""
    aligned: bool = True
    """Whether rows may be paired, by the row link or by their order."""
    recipe: Steps | None = None
    """The recipe that made the release, if known."""
    hierarchies: Mapping[str, HierarchyBuilder] = field(default_factory=dict)
    """How columns were generalised, where no recipe says so; given ones come before the recipe."""
    _columns: dict[str, Column] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        original: Table,
        released: Table,
        *,
        recipe: Steps | None = None,
        hierarchies: Mapping[str, HierarchyBuilder] | None = None,
    ) -> Reading:
        """Read two tables whose rows are paired if their numbers or the row link allow it."""
        aligned = is_paired(original, released)
        return cls(original, released, None, aligned, recipe, hierarchies or {})

    def with_hierarchies(self, hierarchies: Mapping[str, HierarchyBuilder]) -> Reading:
        """The same reading with some columns' hierarchies given."""
        if not hierarchies:
            return self
        kept = {name: one for name, one in self._columns.items() if name not in hierarchies}
        return replace(self, hierarchies={**self.hierarchies, **hierarchies}, _columns=kept)

    def column(self, name: str) -> Column:
        """A column of all tables, its labels read; the same object every time."""
        if name not in self._columns:
            control = None if self.control is None else self.control.frame[name]
            self._columns[name] = column_of(
                self.original.frame[name],
                self.released.frame[name],
                control,
                self.link,
                self.recoders(name),
                within=self.in_its_folder(),
            )
        return self._columns[name]

    def columns(self, names: Sequence[str]) -> list[Column]:
        """Some columns, read."""
        return [self.column(name) for name in names]

    def recoders(self, name: str) -> tuple[Recoder, ...]:
        """What may have recoded a column, in order."""
        if name in self.hierarchies:
            return (ByHierarchy(self.hierarchies[name]),)
        if self.recipe is None:
            return ()
        return tuple(
            step
            for step in self.recipe.steps
            if hasattr(step, "recodes") and name in step.touches(self.original)
        )

    def in_its_folder(self) -> AbstractContextManager[None]:
        """Within this block, resolve files named in the recipe against its folder."""
        return nullcontext() if self.recipe is None else self.recipe.beside_its_files()

    @cached_property
    def common(self) -> tuple[str, ...]:
        """Columns that both tables have, in the original's order."""
        return tuple(common_columns(self.original, self.released))

    @cached_property
    def link(self) -> Longs | None:
        """Original row behind each released row; None if it is not known."""
        return row_link(self.original, self.released) if self.aligned else None

    @cached_property
    def removed(self) -> Longs | None:
        """Original rows that were not released; None if that is not known."""
        if self.link is None:
            return None
        gone = np.ones(self.original.height, dtype=np.bool_)
        gone[self.link] = False
        return np.flatnonzero(gone)

    @cached_property
    def weights(self) -> tuple[Floats | None, Floats | None]:
        """Sampling weights of the original's and the release's records; None if there are none."""
        return sample_weights(self.original, self.released)

    @cached_property
    def people(self) -> Longs | None:
        """The person of each original row; None if each row is a person."""
        return self.original.people

    @cached_property
    def people_released(self) -> Longs | None:
        """The person of each released row, numbered as in the original where rows are linked."""
        if self.people is not None and self.link is not None:
            return self.people[self.link]
        return self.released.people

    def once(self, columns: Sequence[str]) -> Longs:
        """Released rows, one of several that say the same about one person before and after.

        All rows if each row is a person. What a table of such rows yields equals what a table with
        one row per person yields.
        """
        return self.alike(columns).rows

    def alike(self, columns: Sequence[str]) -> Alike:
        """The same, and which of these rows stands for each released row."""
        if self.people_released is None or self.link is None:
            rows = np.arange(self.released.height)
            return Alike(rows, rows)
        before = self.original.frame.select(columns)[self.link]
        return alike_rows(self.people_released, before, self.released.frame.select(columns))

    @cached_property
    def numbered(self) -> Table:
        """The release with labels of numbers and dates as numbers, for measures that compute."""
        from microveil.pairs.label_numbers import labels_as_numbers

        return labels_as_numbers(self)

    @cached_property
    def told_apart(self) -> Table:
        """The release with labels that look like values written differently."""
        from microveil.pairs.label_numbers import labels_apart

        return labels_apart(self)

    def is_coded(self, name: str) -> bool:
        """Whether released numbers of a column are labels of a hierarchy, as 40 for 40 to 49."""
        if not self.recoders(name) or not is_number(self.released.frame.schema[name]):
            return False
        column = self.column(name)
        return column.labelled and bool(column.followed.tree)

    @cached_property
    def coded_as_text(self) -> Table:
        """The release with numbers that are labels as texts, for measures that use no labels."""
        coded = [name for name in self.common if self.is_coded(name)]
        shown = [as_text(self.released.frame[name]).alias(name) for name in coded]
        return self.released.with_columns(shown) if shown else self.released

    @cached_property
    def said_once(self) -> Reading:
        """The same reading without rows that repeat what others say about the same person.

        A row is repeated if all its cells are, before and after where rows are linked. The reading
        itself if each row is a person, or no row is repeated.
        """
        if self.people is None:
            return self
        rows = alike_rows(self.people, *self.cells_before_and_after()).rows
        if self.link is None:
            shown = rows_once(self.released)
            n_kept = len(rows), len(shown)
            if n_kept == (self.original.height, self.released.height):
                return self
            before = self.original.take(rows).rebase(None)
            after = self.released.take(shown).rebase(None)
            return replace(self, original=before, released=after, _columns={})
        return self if len(rows) == self.original.height else self.only_rows(rows)

    def only_rows(self, rows: Longs) -> Reading:
        """The same reading with some of the original's rows, and the released rows they became."""
        link = np.arange(self.released.height) if self.link is None else self.link
        place = np.full(self.original.height, -1, dtype=np.int64)
        place[rows] = np.arange(len(rows))
        kept = np.flatnonzero(place[link] >= 0)
        before = self.original.take(rows).rebase(None)
        after = self.released.take(kept).rebase(place[link[kept]])
        return replace(self, original=before, released=after, _columns={})

    def cells_before_and_after(self) -> list[pl.DataFrame]:
        """Cells of each original row, and of the released row that it became."""
        before = _flat(self.original.frame)
        if self.link is None:
            return [before]
        place = np.full(self.original.height, -1, dtype=np.int64)
        place[self.link] = np.arange(self.released.height)
        shown = _flat(self.released.frame)
        became = shown.select(pl.all().gather(pl.Series(place).replace(-1, None)))
        return [before, became, pl.DataFrame({"released": place >= 0})]


def rows_once(table: Table) -> Longs:
    """Rows of a table, one of several that say the same about one person."""
    if table.people is None:
        return np.arange(table.height)
    return alike_rows(table.people, _flat(table.frame)).rows


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    """The columns whose cells can be compared."""
    return frame.select(
        name for name, kind in frame.schema.items() if not (kind.is_nested() or kind == pl.Object)
    )


class Alike(NamedTuple):
    """Rows of a table that differ."""

    rows: Longs
    """The first of each, ascending."""
    of_row: Longs
    """Position in ``rows`` of the row that each row equals."""


def first_of_each(people: Longs, *frames: pl.DataFrame) -> Longs:
    """First row of each distinct combination of person and cells, ascending."""
    return alike_rows(people, *frames).rows


def alike_rows(people: Longs, *frames: pl.DataFrame) -> Alike:
    """Distinct combinations of person and cells."""
    packed = people.astype(np.int64)
    for frame in frames:
        if not frame.width:
            continue
        codes = pack(frame, frame.columns).values
        _, codes = np.unique(codes, return_inverse=True)
        _, packed = np.unique(packed * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)
    _, first, of_row = np.unique(packed, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return Alike(first[order], np.argsort(order)[of_row])
