"""What an intruder derives about people's keys over all tables.

A cell that is suppressed or coarsened in one table is of no use if another table of the same person
shows it. Each table with known columns is therefore looked at together with what its links lead to:
the rows above, the rows below, and everything else of the same person.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.linked.course import Course, rows_of
from microveil.linked.view import places_of
from microveil.measures.evidence import perturbed_columns
from microveil.release.deriving import Derivation, find_derivations, restore
from microveil.release.deriving.hidden_key import HiddenKey, can_compare
from microveil.tables import Roles, Table
from microveil.tables.codes import encode

ROWS = "{table} (rows)"
"""The number of rows of a table, where it gives back a key."""


@dataclass(frozen=True, eq=False)
class Found:
    """What comes back of one table's keys."""

    name: str
    table: Table
    """As it leaves."""
    derivations: tuple[Derivation, ...]

    def complete(self, *, strict: bool) -> Table:
        """The table with what comes back filled in; all of it, or what surely does."""
        return restore(self.table, [one for one in self.derivations if one.strict or not strict])


def derive_people(course: Course, before: Table, view: Table) -> tuple[Derivation, ...]:
    """What all tables together give back of the columns of the person's view."""
    looked = (_look_at(course, name) for name in sorted(course.read()))
    found = [one for one in looked if one is not None and one.derivations]
    if not found:
        return ()
    made: list[Derivation] = []
    for strict in (True, False):
        chosen = [one for one in found if any(each.strict == strict for each in one.derivations)]
        if chosen:
            full = course.view({one.name: one.complete(strict=strict) for one in found})
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


def _look_at(course: Course, name: str) -> Found | None:
    """One table, with everything that its links lead to; None if nothing of it is hidden."""
    one = course.done[name]
    may = one.leaving(one.taken.table)
    known = {
        each
        for table, columns in course.recipe.people.sources().values()
        for each in columns
        if table == name and each in one.original.columns and each in may
    }
    keys = [each for each in may if each in known and _is_hidden(course, name, each)]
    if not keys:
        return None
    roles = one.recipe.roles
    roles = Roles(
        quasi_identifiers=keys,
        entity=_if_there(roles.entity, one.taken.table),
        household=_if_there(roles.household, one.taken.table),
    )
    shown = [*may, *filter(None, [one.helper])]
    released = course.released_columns(name, shown)
    original = Table(one.original.frame, roles)
    perturbed = perturbed_columns(one.recipe, one.original)
    derived = list(find_derivations(original, released, shown, perturbed))
    lean = Table(one.original.frame.select(keys), Roles(quasi_identifiers=keys))
    for extra in _extras(course, name):
        beside = Table(released.frame.select(*keys, extra), lean.roles, released.rows)
        told = find_derivations(lean, beside, [*keys, extra.name], perturbed)
        derived += [each for each in told if each.by == extra.name]
    return Found(name, released, tuple(derived))


def _if_there(name: str | None, table: Table) -> str | None:
    return name if name in table.columns else None


def _is_hidden(course: Course, name: str, key: str) -> bool:
    before = course.done[name].original.frame[key].gather(course.rows_left(name))
    return HiddenKey.of(key, before, course.released_columns(name, [key]).frame[key]) is not None


def _extras(course: Course, name: str) -> Iterator[pl.Series]:
    """Columns of other tables as each row of a table meets them, one at a time."""
    relations, rows = course.relations, course.rows_left(name)
    above = relations.rows_above(name)
    for other in course.done:
        if other in above:
            yield from _columns_above(course, other, above[other][rows])
        elif other != name and (met := _meeting(course, name, other)) is not None:
            groups, theirs, own = met
            yield from _columns_below(course, other, (groups, theirs), own[rows])


def _meeting(course: Course, name: str, other: str) -> tuple[Longs, Longs, Longs] | None:
    """Groups of another table's rows, those rows, and the group of each row of a table."""
    relations = course.relations
    down = relations.rows_above(other).get(name)
    if down is not None and name != relations.table:
        here = np.flatnonzero((down >= 0) & course.stay[other])
        return down[here], here, np.arange(relations.heights[name])
    pairs, mine = relations.pairs(other, course.stay), relations.whose.get(name)
    return None if pairs is None or mine is None else (*pairs, mine)


def _columns_above(course: Course, other: str, up: Longs) -> Iterator[pl.Series]:
    place = _places(course, other)
    wanted = pl.Series(np.where(up >= 0, place[up], -1) if len(place) else up)
    wanted = wanted.set(wanted < 0, None)
    frame = course.done[other].taken.table.frame
    for column in _comparable(course, other):
        yield frame[column].gather(wanted).alias(f"{other}.{column}")


def _columns_below(
    course: Course, other: str, met: tuple[Longs, Longs], own: Longs
) -> Iterator[pl.Series]:
    """What the rows of another table say together, and how many they are."""
    groups, rows = met[0], _places(course, other)[met[1]]
    size = int(max(groups.max(initial=-1), own.max(initial=-1))) + 1
    numbers = np.bincount(groups, minlength=size)[own]
    yield pl.Series(ROWS.format(table=other), numbers)
    frame = course.done[other].taken.table.frame
    for column in _comparable(course, other):
        told = _together(frame[column], groups, rows, size)
        yield told.gather(own).alias(f"{other}.{column}")


def _together(column: pl.Series, groups: Longs, rows: Longs, size: int) -> pl.Series:
    """The value that all rows of each group have; or, if some have several, a number of the set.

    The number only tells sets apart. It is the sum of a random number for each value.
    """
    codes = encode(column)
    pairs = np.unique(groups * codes.radix + codes.values[rows])
    group, code = np.divmod(pairs, codes.radix)
    example = np.full(codes.radix, -1, dtype=np.int64)
    example[codes.values] = np.arange(len(column))
    there = ~column.is_null().to_numpy()[example[code]]
    group, code = group[there], code[there]
    if len(np.unique(group)) == len(group):
        place = np.full(size, -1, dtype=np.int64)
        place[group] = example[code]
        wanted = pl.Series(place)
        return column.gather(wanted.set(wanted < 0, None))
    drawn = np.random.default_rng(codes.radix).integers(2**40, size=codes.radix)
    sums = np.bincount(group, weights=drawn[code], minlength=size).astype(np.int64)
    told = pl.Series(sums)
    return told.set(pl.Series(np.bincount(group, minlength=size) == 0), None)


def _places(course: Course, other: str) -> Longs:
    """Where each row of a table as given stands after its steps."""
    rows = rows_of(course.done[other].taken.table)
    return places_of(rows, course.relations.heights[other])


def _comparable(course: Course, other: str) -> list[str]:
    """Columns that leave and hold plain values; primary keys say nothing but links."""
    one = course.done[other]
    keys = {key for link in course.relations.links if link.to == other for key in link.keys}
    frame = one.taken.table.frame
    may = one.leaving(one.taken.table)
    return [name for name in may if name not in keys and can_compare(frame[name])]
