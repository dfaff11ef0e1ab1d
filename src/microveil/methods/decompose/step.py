"""Split a table into linked tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
import polars as pl
from pydantic import Field, StringConstraints, model_validator

from microveil.errors import ColumnError, InputError
from microveil.methods.decompose.anatomy import diverse_groups, largest_l
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, usable_frame
from microveil.tables import Roles, Table
from microveil.tables.codes import encode
from microveil.texts import phrase

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]


class Decompose(Method):
    """Split a table by columns into linked tables; with l, linked only through groups (anatomy).

    The first group is the main table, and the others are written beside it. Columns in no group are
    left out. Without l, a random record number links the tables one to one. With l (Xiao & Tao
    2006), the second group is one sensitive column, and the two tables share only a group number:
    each group has at least l records, with different sensitive values. Missing is a value of its
    own. Takes the time of a sort.
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("groups", "link")
    method: Literal["decompose"] = "decompose"
    groups: Mapping[Name, SomeColumns] = Field(min_length=2)
    """The tables: a name for each and its columns, the main table first."""
    l: int | None = Field(default=None, ge=2)  # noqa: E741  l is the trade's letter
    """Smallest number of records, with different sensitive values, that a link leads to."""
    link: str = Field(default="link_id", min_length=1)
    """Name of the new column that links the tables."""

    @model_validator(mode="after")
    def _one_table_each(self) -> Self:
        columns = [name for group in self.groups.values() for name in group]
        doubled = [name for name in dict.fromkeys(columns) if columns.count(name) > 1]
        if doubled:
            raise ValueError(
                phrase("Column {doubled:quoted} is in more than one group.", doubled=doubled)
            )
        if self.l is not None and [len(group) for group in self.groups.values()][1:] != [1]:
            raise ValueError("With l there are two groups, and the second is one sensitive column.")
        return self

    @property
    def splits(self) -> bool:
        """Always: a recipe splits the table after all other steps."""
        return True

    @property
    def columns_named(self) -> list[str]:
        """The columns of all groups."""
        return [name for group in self.groups.values() for name in group]

    @property
    def count_name(self) -> str:
        """Name of the column of counts beside a sensitive column."""
        sensitive = list(self.groups.values())[1][0]
        return "n_records" if "count" in (self.link, sensitive) else "count"

    def touches(self, table: Table) -> tuple[str, ...]:
        """All columns, since those in no group are left out."""
        return tuple(table.columns)

    def leaves_out(self, table: Table) -> tuple[str, ...]:
        """The columns in no group."""
        return tuple(name for name in table.columns if name not in self.columns_named)

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Split the table; the other tables are the outcome's parts."""
        frame = usable_frame(table, self.columns_named, self.kind())
        facts = self.describe(frame.columns)
        link, sizes = self.draw_links(frame, rng)
        return self.split(self.link_rows(table, link), {**facts, **sizes})

    def link_rows(self, table: Table, link: pl.Series) -> Table:
        """The columns of all groups, with the link of each row before them."""
        linked = table.with_frame(_link_columns(link, table.frame, tuple(self.columns_named)))
        return linked.with_roles(self.declare_link(linked.roles))

    def split(self, linked: Table, facts: Mapping[str, Any]) -> Outcome:
        """Split a table whose rows have their links."""
        main = linked.with_frame(self.main_of(linked.frame))
        # Record numbers are random, so their order is too; values in any other order would reveal
        # which record each comes from.
        parts = {name: _in_order(one) for name, one in self.parts_of(linked.frame).items()}
        if self.l is None:
            return Outcome(main, facts, parts, joined=linked)
        return Outcome(main, facts, parts, joined=_possible(linked, main, *parts.values()))

    def main_of(self, linked: pl.DataFrame) -> pl.DataFrame:
        """The first table of rows that have their links."""
        return _link_columns(linked[self.link], linked, next(iter(self.groups.values())))

    def parts_of(self, linked: pl.DataFrame) -> dict[str, pl.DataFrame]:
        """The other tables of rows that have their links, in the order of the rows."""
        link, parts = linked[self.link], {}
        for name, columns in list(self.groups.items())[1:]:
            parts[name] = _link_columns(link, linked, columns)
            if self.l is not None:  # each value occurs once, since no group repeats one
                once = pl.Series(self.count_name, np.ones(len(link), dtype=np.int64))
                parts[name] = parts[name].with_columns(once)
        return parts

    def describe(self, columns: Sequence[str]) -> dict[str, Any]:
        """Which columns go to which table; refuses a link that has the name of a column."""
        if self.link in columns:
            raise ColumnError(
                "The data already have a column '{link}'. Name another `link` column.",
                link=self.link,
            )
        return {
            "tables": {name: list(group) for name, group in self.groups.items()},
            "main": next(iter(self.groups)),
            "left_out": [name for name in columns if name not in self.columns_named],
        }

    def draw_links(
        self, frame: pl.DataFrame, rng: np.random.Generator
    ) -> tuple[pl.Series, dict[str, int]]:
        """The link of each row and, with l, the sizes of groups; reads the sensitive column."""
        if self.l is None:
            return pl.Series(self.link, rng.permutation(frame.height) + 1, dtype=pl.Int64), {}
        groups = self._diverse_groups(frame, list(self.groups)[1], rng)
        return pl.Series(self.link, groups + 1, dtype=pl.Int64), _group_sizes(groups)

    def declare_link(self, roles: Roles) -> Roles:
        """The roles with the link as insensitive, if columns have roles at all."""
        if not roles.named:
            return roles
        return roles.model_copy(update={"insensitive": (*roles.insensitive, self.link)})

    def _diverse_groups(
        self, frame: pl.DataFrame, sensitive: str, rng: np.random.Generator
    ) -> np.ndarray[Any, np.dtype[np.int64]]:
        column = self.groups[sensitive][0]
        values = encode(frame[column]).values
        largest = largest_l(values)
        if self.l is not None and len(values) and largest < self.l:
            possible = (
                phrase("l can be at most {largest}", largest=largest)
                if largest > 1
                else phrase("no l of 2 or more is possible")
            )
            raise InputError(
                "Groups with {l} different values of '{column}' are not possible: its most "
                "common value has more than 1/{l} of the {n_values} records, so {possible}. "
                "Lower l, or generalize the column first.",
                l=self.l,
                column=column,
                n_values=len(values),
                possible=possible,
            )
        return diverse_groups(values, self.l or 1, rng)


def _link_columns(link: pl.Series, frame: pl.DataFrame, columns: tuple[str, ...]) -> pl.DataFrame:
    # A column may be named `*`, which a selection would read as all columns.
    return pl.DataFrame([link, *(frame[name] for name in columns)])


def _in_order(part: pl.DataFrame) -> pl.DataFrame:
    """Rows by link, then by value; columns may have any name, which a sort would read."""
    plain = part.clone()
    plain.columns = [str(place) for place in range(part.width)]
    plain = plain.sort("0", "1")
    plain.columns = part.columns
    return plain


def _possible(table: Table, kept: Table, values: pl.DataFrame) -> Table:
    """Each record with each sensitive value of its group: what a link leads to."""
    link, sensitive = values.columns[:2]
    place = next(name for name in ("row", "place", "record", "_row") if name not in kept.columns)
    pairs = kept.frame.with_row_index(place).join(
        values.select(link, sensitive), on=link, how="left", maintain_order="left"
    )
    places = pairs[place].to_numpy().astype(np.int64)
    rows = places if kept.rows is None else kept.rows[places]
    frame = pairs.drop(place)
    roles = table.roles.without(set(table.roles.named) - set(frame.columns))
    return Table(frame, roles, rows)


def _group_sizes(groups: np.ndarray[Any, np.dtype[np.int64]]) -> dict[str, int]:
    sizes = np.bincount(groups)
    return {
        "n_groups": len(sizes),
        "smallest_group": int(sizes.min()) if len(sizes) else 0,
        "largest_group": int(sizes.max(initial=0)),
    }
