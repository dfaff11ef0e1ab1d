"""What an intruder derives about people's keys over all tables.

A cell that is suppressed or coarsened in one table is of no use if another table of the same person
shows it. Each table with known columns is therefore looked at together with what its links lead to:
the rows above, the rows below, and everything else of the same person.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.linked.course import Course, Taken, rows_of
from microveil.linked.view import join_texts, places_of, written
from microveil.measures.evidence import perturbed_columns
from microveil.release.deriving import Derivation, find_derivations, restore
from microveil.release.deriving.hidden_key import HiddenKey, can_compare
from microveil.tables import Roles, Table

ROWS = "{table} (rows)"
"""The number of rows of a table, where it gives back a key."""


@dataclass(frozen=True, eq=False)
class Found:
    """What comes back of one table's keys."""

    name: str
    table: Table
    """As it leaves."""
    derivations: tuple[Derivation, ...]

    def completed(self, *, strict: bool) -> Table:
        """The table with what comes back filled in; all of it, or what surely does."""
        return restore(self.table, [one for one in self.derivations if one.strict or not strict])


def derive_people(course: Course, before: Table, view: Table) -> tuple[Derivation, ...]:
    """What all tables together give back of the columns of the person's view."""
    found = [one for name in sorted(course.read()) if (one := _look_at(course, name)).derivations]
    if not found:
        return ()
    made: list[Derivation] = []
    for strict in (True, False):
        chosen = [one for one in found if any(each.strict == strict for each in one.derivations)]
        if chosen:
            full = course.view({one.name: one.completed(strict=strict) for one in found})
            made += [
                each
                for one in chosen
                for each in _in_view(course, one, before, view, full)
                if each.strict == strict
            ]
    return tuple(made)


def _in_view(
    course: Course, found: Found, before: Table, view: Table, full: Table
) -> Iterator[Derivation]:
    """The same derivations by person: a cell comes back if one it is made of does."""
    own = course.relations.table
    for name, (table, columns) in course.recipe.people.sources().items():
        if table != found.name or name not in view.columns:
            continue
        values = full.frame[name]
        back = values.ne_missing(view.frame[name].cast(values.dtype, strict=False))
        if not back.any():
            continue
        hidden = HiddenKey.of(name, before.frame[name][rows_of(view)], view.frame[name])
        for one in found.derivations:
            if one.key in columns:
                by = one.by if table == own or "." in one.by else f"{table}.{one.by}"
                n_cells = int(back.sum())
                n_hidden = max(n_cells, hidden.n_hidden if hidden else 0)
                yield replace(
                    one,
                    by=by,
                    key=name,
                    n_cells=n_cells,
                    n_hidden=n_hidden,
                    back=back,
                    values=values,
                )


def _look_at(course: Course, name: str) -> Found:
    """One table, with everything that its links lead to."""
    one, released = course.done[name], course.released(name)
    known = {
        each
        for table, columns in course.recipe.people.sources().values()
        for each in columns
        if table == name and each in one.original.columns and each in one.leaving(released)
    }
    keys = [each for each in released.columns if each in known and _is_hidden(one, released, each)]
    if not keys:
        return Found(name, released, ())
    roles = Roles(
        quasi_identifiers=keys,
        entity=_if_there(one.recipe.roles.entity, released),
        household=_if_there(one.recipe.roles.household, released),
    )
    original = Table(one.original.frame, roles)
    shown = [*one.leaving(released), *filter(None, [one.helper])]
    perturbed = perturbed_columns(one.recipe, one.original)
    derived = list(find_derivations(original, released, shown, perturbed))
    for extra in _extras(course, name, rows_of(released)):
        beside = released.with_frame(released.frame.select(keys).with_columns(extra))
        lean = Table(one.original.frame.select(keys), Roles(quasi_identifiers=keys))
        beside = Table(beside.frame, lean.roles, released.rows)
        told = find_derivations(lean, beside, [*keys, extra.name], perturbed)
        derived += [each for each in told if each.by == extra.name]
    return Found(name, released, tuple(derived))


def _if_there(name: str | None, table: Table) -> str | None:
    return name if name in table.columns else None


def _is_hidden(one: Taken, released: Table, key: str) -> bool:
    before = one.original.frame[key]
    before = before if released.rows is None else before.gather(released.rows)
    return HiddenKey.of(key, before, released.frame[key]) is not None


def _extras(course: Course, name: str, rows: Longs) -> Iterator[pl.Series]:
    """Columns of other tables as each row of a table meets them, one at a time."""
    relations = course.relations
    above = relations.rows_above(name)
    for other in course.done:
        if other == name:
            continue
        released = course.released(other)
        place = places_of(rows_of(released), relations.heights[other])
        if other in above:
            up = above[other][rows]
            here = np.where(up >= 0, place[up], -1) if len(place) else up
            yield from _columns_above(course, other, released, here)
            continue
        met = _meeting(course, name, other)
        if met is not None:
            groups, theirs, own = met
            there = place[theirs] >= 0
            yield from _columns_below(
                course, other, released, (groups[there], place[theirs[there]]), own[rows]
            )


def _meeting(course: Course, name: str, other: str) -> tuple[Longs, Longs, Longs] | None:
    """Groups of another table's rows, those rows, and the group of each row of a table."""
    relations = course.relations
    down = relations.rows_above(other).get(name)
    if down is not None and name != relations.table:
        here = np.flatnonzero(down >= 0)
        return down[here], here, np.arange(relations.heights[name])
    pairs, mine = relations.pairs(other), relations.whose.get(name)
    return None if pairs is None or mine is None else (*pairs, mine)


def _columns_above(course: Course, other: str, released: Table, here: Longs) -> Iterator[pl.Series]:
    wanted = pl.Series(here).replace(-1, None)
    for column in _comparable(course, other, released):
        yield released.frame[column].gather(wanted).alias(f"{other}.{column}")


def _columns_below(
    course: Course, other: str, released: Table, met: tuple[Longs, Longs], own: Longs
) -> Iterator[pl.Series]:
    """What the rows of another table say together, and how many they are."""
    groups, rows = met
    counts = pl.DataFrame({"": groups}).group_by("").len("value")
    number = _at(counts.with_columns(pl.col("value").cast(pl.Int64)), own).fill_null(0)
    yield number.alias(ROWS.format(table=other))
    for column in _comparable(course, other, released):
        cells = released.frame[column].gather(rows)
        told = pl.DataFrame({"": groups, "value": cells}).drop_nulls().unique()
        if told[""].n_unique() < told.height:
            told = join_texts(told.select("", text=written(told["value"])))
        yield _at(told, own).alias(f"{other}.{column}")


def _comparable(course: Course, other: str, released: Table) -> list[str]:
    """Columns that leave and hold plain values; keys that are replaced say nothing but links."""
    links = course.relations.links
    keys: Mapping[str, set[str]] = {
        name: {one for link in links if link.to == name for one in link.keys}
        for name in course.done
    }
    return [
        column
        for column in course.done[other].leaving(released)
        if column not in keys[other] and can_compare(released.frame[column])
    ]


def _at(found: pl.DataFrame, own: Longs) -> pl.Series:
    wanted = pl.DataFrame({"": own})
    return wanted.join(found, on="", how="left", maintain_order="left")["value"]
