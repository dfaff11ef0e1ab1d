"""The person's view: one row for each person, with what can be known over all tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.errors import InputError
from microveil.linked.owners import Relations, Stay
from microveil.linked.recipe import Derived, People
from microveil.tables import Table
from microveil.tables.roles import check_columns
from microveil.tables.values import as_text

BETWEEN = " | "
WITHIN = " · "
UNKNOWN = "–"
MARKS = ("|", "·", UNKNOWN)
Names = Collection[str]


@dataclass(frozen=True, eq=False)
class Told:
    """A table as it tells of people: each person with each row that does."""

    frame: pl.DataFrame
    people: Longs
    """The person of each pair, as the row in the table of people as given."""
    rows: Longs | None = None
    """The row of each pair; None if each row is there once, in order."""

    @classmethod
    def of(
        cls,
        relations: Relations,
        name: str,
        frame: pl.DataFrame,
        left: Longs | None = None,
        stay: Stay | None = None,
    ) -> Told | None:
        """A table as it was; or the rows that ``stay`` of one whose rows are those ``left``."""
        pairs = relations.pairs(name, stay)
        if pairs is None:
            return None
        people, rows = pairs
        if left is not None:
            rows = places_of(left, relations.heights[name])[rows]
        once = len(rows) == frame.height and bool((rows == np.arange(len(rows))).all())
        return cls(frame, people, None if once else rows)

    def column(self, name: str) -> pl.Series:
        """A column, beside ``people``."""
        cells = self.frame[name]
        return cells if self.rows is None else cells.gather(self.rows)


def places_of(left: Longs, height: int) -> Longs:
    """Where each row of a table is now; −1 if it is gone.

    >>> places_of(np.array([2, 0]), 3).tolist()
    [1, -1, 0]
    """
    place = np.full(height, -1, dtype=np.int64)
    place[left] = np.arange(len(left))
    return place


def person_view(
    people: People, own: pl.DataFrame, rows: Longs, told: Mapping[str, Told], gone: Names = ()
) -> Table:
    """The view of everybody who is left, in the order of their table.

    ``rows`` has the row, in the table of people as given, of everybody. Columns in ``gone`` are not
    released, so that they tell nothing.
    """
    view = own.drop(set(own.columns).intersection(gone))
    known = [name for name in people.known_columns() if name not in gone]
    for name in known:
        if name in people.derived:
            cells = _derive(people.derived[name], told, rows)
        elif name not in view.columns:
            cells = _lists(name, told, rows)
        else:
            continue
        view = view.with_columns(cells.alias(name))
    return Table(view.select(known), people.roles_without(gone), rows)


def _derive(one: Derived, told: Mapping[str, Told], rows: Longs) -> pl.Series:
    source = _source(one.table, told)
    named = [name for name in (one.column, one.by) if name is not None]
    check_columns(named, source.frame.columns)
    frame = pl.DataFrame({"": source.people, **{name: source.column(name) for name in named}})
    if one.take == "count":
        value = pl.len().cast(pl.Int64)
    elif one.take == "set":
        texts = frame.select("", text=as_written(frame[str(one.column)])).unique()
        return _of_people(join_texts(texts), rows)
    else:
        column = pl.col(str(one.column))
        if one.take in ("first", "last"):
            column = column.sort_by(str(one.by), nulls_last=one.take == "first")
        value = getattr(column, one.take)()
    derived = _of_people(frame.group_by("").agg(value=value), rows)
    return derived.fill_null(0) if one.take in ("count", "n_unique") else derived


def _lists(name: str, told: Mapping[str, Told], rows: Longs) -> pl.Series:
    """All values of columns of a person's rows, rows sorted, as one text.

    A person who refers to one row, such as their household's, has its value itself.
    """
    table, _, columns = name.partition(".")
    if not columns:
        raise InputError(
            "people: there is no column '{name}' in table of people, and none derived. Columns of "
            "other tables read like visits.ward, or visits.ward+date.",
            name=name,
        )
    source, wanted = _source(table, told), columns.split("+")
    check_columns(wanted, source.frame.columns)
    if len(wanted) == 1 and source.rows is not None and _is_one_each(source.people):
        found = pl.DataFrame({"": source.people, "value": source.column(wanted[0])})
        return _of_people(found, rows)
    texts = [as_written(source.column(one)).alias(f"t{i}") for i, one in enumerate(wanted)]
    lines = pl.DataFrame({"": source.people} | {one.name: one for one in texts})
    joined = pl.concat_str([one.name for one in texts], separator=WITHIN)
    return _of_people(join_texts(lines.select("", text=joined)), rows)


def _is_one_each(people: Longs) -> bool:
    return len(np.unique(people)) == len(people)


def _source(name: str, told: Mapping[str, Told]) -> Told:
    if name not in told:
        raise InputError("people: the links of table '{name}' lead to no person.", name=name)
    return told[name]


def as_written(column: pl.Series) -> pl.Series:
    """Values as text, spelt so that no value reads like two, nor like a missing one."""
    text = as_text(column)
    for mark in MARKS:
        if text.str.contains(mark, literal=True).any():
            text = text.str.replace_all(mark, mark * 2, literal=True)
    return text.fill_null(UNKNOWN)


def join_texts(frame: pl.DataFrame) -> pl.DataFrame:
    """The sorted texts of each group as one."""
    return frame.sort("", "text").group_by("").agg(value=pl.col("text").str.join(BETWEEN))


def _of_people(found: pl.DataFrame, rows: Longs) -> pl.Series:
    wanted = pl.DataFrame({"": np.asarray(rows)})
    return wanted.join(found, on="", how="left", maintain_order="left")["value"]
