"""Links: foreign keys between tables, their checks, and proposals from names and values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Self

import numpy as np
import polars as pl
from pydantic import model_validator

from microveil.arrays import Longs
from microveil.errors import InputError
from microveil.specs import Spec
from microveil.tables.roles import check_columns
from microveil.texts import phrase

ARROW = "->"
AND = "+"
"""Joins the columns of a key that has several: ``visits.site+patient -> patients.site+id``."""
ENDINGS = ("id", "key", "code", "number", "_no", "_nr")
"""How the name of a key ends that goes by the same name in other tables."""
Frames = Mapping[str, pl.DataFrame]


class Link(Spec):
    """A foreign key: a column of one table that holds the primary key of another.

    >>> str(Link.parse("visits.patient -> patients.id"))
    'visits.patient -> patients.id'
    """

    table: str
    """Table that refers: the child."""
    column: str
    """Its column; several are joined by ``+``."""
    to: str
    """Table that is referred to: the parent."""
    key: str
    """Its primary key; several columns are joined by ``+``."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, raw: object) -> object:
        if not isinstance(raw, str):
            return raw
        sides = [side.strip().partition(".") for side in raw.split(ARROW)]
        if len(sides) != 2 or not all(table and column for table, _, column in sides):  # noqa: PLR2004  two sides
            raise ValueError("A link reads like visits.patient_id -> patients.id.")
        (table, _, column), (to, _, key) = sides
        return {"table": table, "column": column, "to": to, "key": key}

    @model_validator(mode="after")
    def _has_two_equal_sides(self) -> Self:
        if len(self.columns) != len(self.keys):
            raise ValueError("A link has as many columns on one side as on the other.")
        return self

    @property
    def columns(self) -> tuple[str, ...]:
        """The child's columns, one by one."""
        return key_parts(self.column)

    @property
    def keys(self) -> tuple[str, ...]:
        """The parent's columns, one by one."""
        return key_parts(self.key)

    def __str__(self) -> str:
        """As it is written in recipes."""
        return f"{self.table}.{self.column} {ARROW} {self.to}.{self.key}"


def key_parts(key: str) -> tuple[str, ...]:
    """The columns of a key.

    >>> key_parts("site+id")
    ('site', 'id')
    """
    return tuple(key.split(AND))


def key_frame(frame: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    """The columns of a key, by their place, so that both sides of a link have the same names."""
    return frame.select(pl.col(name).alias(f"key{i}") for i, name in enumerate(columns))


@contextmanager
def in_table(name: str) -> Iterator[None]:
    """Name the table in what is wrong with it."""
    try:
        yield
    except InputError as error:
        error.args = (phrase("Table '{name}': {told}", name=name, told=error.message),)
        raise


def check_links(frames: Frames, links: Sequence[Link]) -> None:
    """Raise an error unless every key is there, unique, of one type, and leads somewhere."""
    for link in links:
        for name in (link.table, link.to):
            if name not in frames:
                raise InputError(
                    "Link {link}: there is no table '{name}'. Tables: {names:quoted}.",
                    link=str(link),
                    name=name,
                    names=sorted(frames),
                )
        check_columns(link.columns, frames[link.table].columns)
        check_columns(link.keys, frames[link.to].columns)
        _check_keys(link, frames)
    parents_first(list(frames), links)


def _check_keys(link: Link, frames: Frames) -> None:
    child = key_frame(frames[link.table], link.columns)
    parent = key_frame(frames[link.to], link.keys)
    for one, other in zip(child, parent, strict=True):
        if one.dtype != other.dtype and pl.Null not in (one.dtype, other.dtype):
            raise InputError(
                "Link {link}: one key holds {first}, the other {second}. Give both the same type, "
                "in `reading`.",
                link=str(link),
                first=str(one.dtype),
                second=str(other.dtype),
            )
    check_primary_key(f"{link.to}.{link.key}", parent)
    if n := n_orphans(child, parent):
        raise InputError(
            "Link {link}: 1 row refers to a row that does not exist (an orphan). Remove it, or "
            "complete the other table.",
            many="Link {link}: {n:,} rows refer to rows that do not exist (orphans). Remove them, "
            "or complete the other table.",
            link=str(link),
            n=n,
        )


def check_primary_key(name: str, key: pl.DataFrame) -> None:
    """Raise an error unless a key tells every row apart."""
    there = key.drop_nulls()
    n_missing = key.height - there.height
    n_twice = there.height - there.n_unique()
    if n_missing or n_twice:
        raise InputError(
            "The primary key {name} must tell every row apart, but {n_twice} rows repeat one and "
            "{n_missing} have none. Remove them, or choose another key.",
            name=name,
            n_twice=n_twice,
            n_missing=n_missing,
        )


def n_orphans(child: pl.DataFrame, parent: pl.DataFrame) -> int:
    """Rows whose key, where there is one, is not among the parent's.

    >>> n_orphans(pl.DataFrame({"key": [1, None, 5, 5]}), pl.DataFrame({"key": [1]}))
    2
    """
    lost = places_among(child, parent) < 0
    there = ~child.select(pl.any_horizontal(pl.all().is_null())).to_series().to_numpy()
    return int((lost & there).sum())


def places_among(keys: pl.DataFrame, among: pl.DataFrame) -> Longs:
    """The row of other keys, all different, that equals each key; −1 where none does.

    Whole numbers are searched, not joined, which takes a fifth of the memory.
    """
    nothing = any(dtype == pl.Null for dtype in (*keys.dtypes, *among.dtypes))
    if nothing or not among.height:
        return np.full(keys.height, -1, dtype=np.int64)
    one, other = keys.to_series(0), among.to_series(0)
    if keys.width == 1 and one.dtype.is_integer() and not (one.null_count() or other.null_count()):
        wanted, known = one.to_numpy(), other.to_numpy()
        order = np.argsort(known, kind="stable")
        place = order[np.minimum(np.searchsorted(known, wanted, sorter=order), len(known) - 1)]
        place[known[place] != wanted] = -1
        return place
    found = keys.join(
        among.with_row_index("row"), on=keys.columns, how="left", maintain_order="left"
    )
    return found["row"].cast(pl.Int64).fill_null(-1).to_numpy()


def parents_first(names: Sequence[str], links: Sequence[Link]) -> list[str]:
    """The tables in an order in which no child comes before its parent; cycles are refused.

    >>> parents_first(["b", "a"], [Link.parse("b.x -> a.y")])
    ['a', 'b']
    """
    waiting, ordered = list(names), list[str]()
    while waiting:
        ready = [
            name
            for name in waiting
            if all(link.to in ordered for link in links if link.table == name)
        ]
        if not ready:
            raise InputError(
                "The links of tables {names:quoted} go in a circle. Leave one of them out.",
                names=waiting,
            )
        ordered += ready
        waiting = [name for name in waiting if name not in ready]
    return ordered


def propose_links(frames: Mapping[str, Any]) -> list[Link]:
    """Links that names suggest and values confirm: every key of the child is one of the parent.

    A column may be a primary key if it tells all rows apart. A column of another table is proposed
    for it if it has the same name, or one that joins the table's name and the key's
    (``patient_id`` for ``patients.id``), the same type, and no other values.
    """
    found = []
    for to, parent in frames.items():
        for key in parent.columns:
            if not _may_be_key(parent[key]):
                continue
            for table, child in frames.items():
                found += [
                    Link(table=table, column=column, to=to, key=key)
                    for column in child.columns
                    if table != to and _fits(child[column], parent[key], column, to, key)
                ]
    # Two tables with the same keys fit both ways: what is called after the key leads.
    kept = list[Link]()
    for link in sorted(found, key=lambda one: not _is_named_after(one.to, one.key)):
        if link.to not in _below(link.table, kept):
            kept.append(link)
    return [link for link in found if link in kept]


def _is_named_after(table: str, key: str) -> bool:
    one = table.lower().removesuffix("s")
    one = {"people": "person", "children": "child"}.get(one, one)
    return key.lower() == "id" or key.lower().startswith(one)


def _below(table: str, links: Sequence[Link]) -> set[str]:
    """The tables that lead to one, and itself."""
    found = {table}
    while new := {link.table for link in links if link.to in found} - found:
        found |= new
    return found


def _may_be_key(values: pl.Series) -> bool:
    plain = values.dtype.is_integer() or values.dtype in (pl.String, pl.Categorical)
    return (
        plain and len(values) > 0 and not values.null_count() and values.n_unique() == len(values)
    )


def _fits(child: pl.Series, parent: pl.Series, column: str, to: str, key: str) -> bool:
    one, key = to.lower().removesuffix("s"), key.lower()
    named = {f"{one}_{key}", f"{to.lower()}_{key}", f"{one}_id", f"{one}id", one}
    if key != "id" and key.endswith(ENDINGS):
        named.add(key)
    return (
        column.lower() in named
        and child.dtype == parent.dtype
        and child.null_count() < len(child)
        and n_orphans(child.to_frame("key"), parent.to_frame("key")) == 0
    )
