"""Households, and people with several rows: the group is drawn first, then its members.

The first member, the size and the values shared by all members are drawn together; each further
member is drawn given these, its position, and the member before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.errors import ColumnError, InputError
from microveil.synthesis.parts.generator import Fitted, Generator
from microveil.tables import Roles, Table
from microveil.tables.codes import encode

SIZE, POSITION = "__size", "__position"
HEAD, PREVIOUS = "__head ", "__previous "


class Members(NamedTuple):
    """The members of each group, in the table's order."""

    order: Longs
    """Records, group by group."""
    group: Longs
    """Group of each of them, numbered from 0."""
    position: Longs
    """Position within the group, from 1."""
    size: Longs
    """Records of each group."""

    @classmethod
    def of(cls, series: pl.Series) -> Members:
        """Equal values form a group; each missing value is a group of its own."""
        codes = encode(series).values
        missing = series.is_null().to_numpy()
        if missing.any():
            codes = np.where(missing, codes.max(initial=0) + 1 + np.arange(len(codes)), codes)
        _, group, size = np.unique(codes, return_inverse=True, return_counts=True)
        order = np.argsort(group, kind="stable")
        start = np.cumsum(size) - size
        sorted_group = group[order]
        return cls(order, sorted_group, 1 + np.arange(len(order)) - start[sorted_group], size)

    def shared_columns(self, frame: pl.DataFrame) -> tuple[str, ...]:
        """Columns with a single value within every group."""
        sorted_frame = frame[self.order]
        first = (np.cumsum(self.size) - self.size)[self.group]
        alike = []
        for name in frame.columns:
            codes = encode(sorted_frame[name]).values
            if bool((codes == codes[first]).all()):
                alike.append(name)
        return tuple(alike)


class GroupModel(Fitted):
    """A model of groups with their first members, and a model of further members."""

    def __init__(self, heads: Fitted, followers: Fitted | None, plan: GroupPlan) -> None:
        self.heads, self.followers, self.plan = heads, followers, plan
        self.facts: Mapping[str, Any] = {
            "n_groups": plan.n_groups,
            "largest_group": plan.largest,
            "shared_columns": list(plan.shared_columns),
        }
        known = [*heads.modelled, *(() if followers is None else followers.modelled)]
        plain = [tuple(dict.fromkeys(_plain(name) for name in one)) for one in known]
        self.modelled = tuple(
            dict.fromkeys(tuple(name for name in one if not name.startswith("__")) for one in plain)
        )

    @classmethod
    def fit(
        cls, generator: Generator, table: Table, members: Members, rng: np.random.Generator
    ) -> GroupModel:
        """Fit both models to a table without its group column."""
        if not generator.takes_given:
            raise InputError(
                "Generator '{kind}' cannot draw the members of a group given each other. Use "
                "'cart', or drop the role household or entity.",
                kind=generator.kind(),
            )
        weight = table.roles.weight
        names = [name for name in table.columns if name != weight]
        taken = [name for name in names if name.startswith("__")]
        if taken:
            raise ColumnError(
                "Rename column {taken:quoted} so that it begins with a letter.", taken=taken
            )
        shared = members.shared_columns(table.frame.select(names)) if len(members.size) else ()
        own = tuple(name for name in names if name not in shared)
        plan = GroupPlan(
            tuple(names), shared, own, len(members.size), int(members.size.max(initial=1))
        )
        rows = table.frame[members.order]
        first = members.position == 1
        heads = rows.filter(first).with_columns(pl.Series(SIZE, members.size))
        model = generator.fit(Table(heads, Roles(weight=weight)), rng)
        if first.all() or not own:
            return cls(model, None, plan)
        later = _followers(rows, members, plan, weight)
        given = [name for name in later.columns if name not in (*own, weight)]
        return cls(model, generator.fit(Table(later, Roles(weight=weight)), rng, given), plan)

    def sample(
        self, n: int, rng: np.random.Generator, given: pl.DataFrame | None = None
    ) -> pl.DataFrame:
        """Draw ``n`` whole groups; the column ``__group`` numbers them from 0 on."""
        if given is not None:
            raise InputError("A model of groups draws all columns and cannot condition on some.")
        heads = self.heads.sample(n, rng)
        size = heads[SIZE].cast(pl.Int64).to_numpy()
        heads = heads.drop(SIZE)
        members = [heads.with_columns(_number("__group", np.arange(n)), _number(POSITION, 1, n))]
        previous, owners = heads, np.arange(n)
        for position in range(2, int(size.max(initial=1)) + 1):
            stays = size[owners] >= position
            owners, previous = owners[stays], previous.filter(stays)
            drawn = self._next(heads[owners], previous, size[owners], position, rng)
            members.append(
                drawn.with_columns(
                    _number("__group", owners), _number(POSITION, position, len(owners))
                )
            )
            previous = drawn
        whole = pl.concat(members, how="diagonal").sort("__group", POSITION)
        return whole.select("__group", *self.plan.names)

    def _next(
        self,
        heads: pl.DataFrame,
        previous: pl.DataFrame,
        size: Longs,
        position: int,
        rng: np.random.Generator,
    ) -> pl.DataFrame:
        """The member at a position in each group that is large enough."""
        plan = self.plan
        shared = heads.select(plan.shared_columns)
        if self.followers is None:
            return heads.select(plan.names)
        given = pl.concat(
            [
                shared,
                heads.select(pl.col(plan.own).name.prefix(HEAD)),
                previous.select(pl.col(plan.own).name.prefix(PREVIOUS)),
            ],
            how="horizontal",
        ).with_columns(_number(SIZE, size), _number(POSITION, position, len(size)))
        drawn = self.followers.sample(len(size), rng, given)
        return pl.concat([shared, drawn], how="horizontal").select(plan.names)


class GroupPlan(NamedTuple):
    """Column names and group sizes."""

    names: tuple[str, ...]
    shared_columns: tuple[str, ...]
    own: tuple[str, ...]
    n_groups: int
    largest: int


def numbered_groups(groups: Longs, like: pl.Series) -> pl.Series:
    """New group numbers from 1 on, in the type of their column."""
    numbers = pl.Series(like.name, groups + 1)
    if like.dtype.is_numeric():
        return numbers.cast(like.dtype)
    return numbers.cast(pl.String)


def _followers(
    rows: pl.DataFrame, members: Members, plan: GroupPlan, weight: str | None
) -> pl.DataFrame:
    """Members after the first, with the first and the previous member alongside."""
    later = np.flatnonzero(members.position > 1)
    first = (np.cumsum(members.size) - members.size)[members.group[later]]
    kept: Sequence[str] = (*plan.own, *([weight] if weight else []))
    return pl.concat(
        [
            rows[later].select(*plan.shared_columns, *kept),
            rows[first].select(pl.col(plan.own).name.prefix(HEAD)),
            rows[later - 1].select(pl.col(plan.own).name.prefix(PREVIOUS)),
        ],
        how="horizontal",
    ).with_columns(
        _number(SIZE, members.size[members.group[later]]),
        _number(POSITION, members.position[later]),
    )


def _number(name: str, values: Longs | int, n: int | None = None) -> pl.Series:
    cells = np.full(n or 0, values) if isinstance(values, int) else values
    return pl.Series(name, cells, dtype=pl.Int64)


def _plain(name: str) -> str:
    return name.removeprefix(HEAD).removeprefix(PREVIOUS)
