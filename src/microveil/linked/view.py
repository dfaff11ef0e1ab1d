"""The person's view: one row for each person, with what can be known over all tables."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.errors import InputError
from microveil.linked.recipe import Derived, People
from microveil.tables import Roles, Table
from microveil.tables.roles import check_columns
from microveil.tables.values import as_text

BETWEEN = " | "
WITHIN = " · "


def person_view(
    people: People, frames: Mapping[str, pl.DataFrame], whose: Mapping[str, Longs]
) -> Table:
    """The view of everybody who is left, in the order of their table.

    ``whose`` has the row, in the table of people as given, of each row of each table.
    """
    rows = whose[people.table]
    view = frames[people.table]
    for name, one in people.derived.items():
        view = view.with_columns(_derive(one, frames, whose, rows).alias(name))
    known = [*people.quasi_identifiers, *people.sensitive]
    known += [name for some in people.scenarios.values() for name in some]
    for name in dict.fromkeys(known):
        if name not in view.columns:
            view = view.with_columns(_lists(name, frames, whose, rows).alias(name))
    roles = Roles(
        quasi_identifiers=people.quasi_identifiers,
        sensitive=people.sensitive,
        scenarios=dict(people.scenarios),
    )
    return Table(view.select(list(dict.fromkeys([people.key, *known]))), roles)


def _derive(
    one: Derived, frames: Mapping[str, pl.DataFrame], whose: Mapping[str, Longs], rows: Longs
) -> pl.Series:
    frame = _rows_of_people(one.table, frames, whose)
    named = [name for name in (one.column, one.by) if name is not None]
    check_columns(named, frame.columns)
    if one.take == "count":
        value = pl.len().cast(pl.Int64)
    elif one.take == "set":
        return _join_texts(frame.select("", text=as_text(frame[str(one.column)])).unique(), rows)
    else:
        column = pl.col(str(one.column))
        if one.take in ("first", "last"):
            column = column.sort_by(str(one.by), nulls_last=one.take == "first")
        value = getattr(column, one.take)()
    found = frame.group_by("").agg(value=value)
    derived = _of_people(found, rows)
    return derived.fill_null(0) if one.take in ("count", "n_unique") else derived


def _lists(
    name: str, frames: Mapping[str, pl.DataFrame], whose: Mapping[str, Longs], rows: Longs
) -> pl.Series:
    """All values of columns of a person's rows, rows sorted, as one text."""
    table, _, columns = name.partition(".")
    if not columns:
        raise InputError(
            "people: there is no column '{name}' in table of people, and none derived. Columns of "
            "other tables read like visits.ward, or visits.ward+date.",
            name=name,
        )
    frame, wanted = _rows_of_people(table, frames, whose), columns.split("+")
    check_columns(wanted, frame.columns)
    texts = [as_text(frame[one]).fill_null("–").alias(f"t{i}") for i, one in enumerate(wanted)]
    told = pl.concat_str([one.name for one in texts], separator=WITHIN)
    return _join_texts(frame.select("", *texts).select("", text=told), rows)


def _rows_of_people(
    name: str, frames: Mapping[str, pl.DataFrame], whose: Mapping[str, Longs]
) -> pl.DataFrame:
    if name not in whose:
        raise InputError("people: the links of table '{name}' lead to no person.", name=name)
    return frames[name].with_columns(pl.Series("", whose[name]))


def _join_texts(frame: pl.DataFrame, rows: Longs) -> pl.Series:
    texts = frame.sort("", "text").group_by("").agg(value=pl.col("text").str.join(BETWEEN))
    return _of_people(texts, rows)


def _of_people(found: pl.DataFrame, rows: Longs) -> pl.Series:
    wanted = pl.DataFrame({"": np.asarray(rows)})
    return wanted.join(found, on="", how="left", maintain_order="left")["value"]
