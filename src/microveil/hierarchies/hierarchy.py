"""Hierarchy: a value and its generalisation at each level."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import polars as pl

from microveil.errors import HierarchyError, did_you_mean
from microveil.tables.values import Distinct, as_text, plain, rows_of
from microveil.texts import phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

STAR = "*"
"""The label that carries no information; the last level of every hierarchy."""

Unlisted = Literal["error", "star"]
"""What happens to a value that the hierarchy does not list: an error, or ``*``."""


class Match(NamedTuple):
    """A column's distinct values and the hierarchy's row for each."""

    distinct: Distinct
    rows: NDArray[np.int32]
    """Row of each distinct value; −1 if the hierarchy does not list it."""

    @property
    def n_unlisted_values(self) -> int:
        """Number of distinct values that the hierarchy does not list."""
        return int((self.rows < 0).sum())

    @property
    def n_unlisted(self) -> int:
        """Number of records whose value the hierarchy does not list."""
        return self.distinct.records_of(self.rows < 0) if self.n_unlisted_values else 0

    def require_all(self, hint: str = "") -> None:
        """Raise :class:`HierarchyError` unless every value is listed."""
        if n_values := self.n_unlisted_values:
            raise HierarchyError(
                "Column '{name}': 1 distinct value ({records}) is not in the hierarchy. {hint}, "
                "or write `unlisted: star` to publish `*` there.",
                many="Column '{name}': {n} distinct values ({records}) are not in the hierarchy. "
                "{hint}, or write `unlisted: star` to publish `*` there.",
                name=self.distinct.name,
                n=n_values,
                records=phrase("1 record", many="{n} records", n=self.n_unlisted),
                hint=hint or phrase("Add what is missing"),
            )


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A value and its generalisation at each level: level 0 the value itself, the last ``*``.

    Build one with :meth:`of`, which cleans and checks its input.

    >>> places = Hierarchy.of([pl.Series(["Lyon", "Paris", "Rome"]), pl.Series(["FR", "FR", "IT"])])
    >>> places.generalize(pl.Series("city", ["Rome", None, "Paris"]), 1).to_list()
    ['IT', None, 'FR']
    """

    frame: pl.DataFrame
    """One row per value, one column per level, finest first; columns carry the levels' names."""

    @classmethod
    def of(
        cls,
        levels: pl.DataFrame | Sequence[pl.Series],
        names: Sequence[str] = (),
        source: str | None = None,
    ) -> Hierarchy:
        """Clean and check levels, finest first: remove duplicate rows, add ``*`` on top if needed.

        ``names`` are the names of the levels, with or without one for the top; ``source`` (a file
        name) prefixes error messages.
        """
        columns = list(levels.get_columns() if isinstance(levels, pl.DataFrame) else levels)
        where = f"{source}: " if source else ""
        if not columns:
            raise HierarchyError(
                "{where}The hierarchy is empty. It needs one row for each value.", where=where
            )
        columns = [plain(columns[0]), *(level.cast(pl.String) for level in columns[1:])]
        if len(columns) == 1 or not (columns[-1] == STAR).all():
            columns.append(stars(len(columns[0])))
        frame = pl.DataFrame(
            [
                column.alias(name)
                for column, name in zip(columns, _names(names, len(columns), where), strict=True)
            ]
        )
        hierarchy = cls(frame.unique(maintain_order=True))
        hierarchy.validate(source)
        return hierarchy

    def text_rows(self) -> list[tuple[str, ...]]:
        """One row per value, all as text, as in files."""
        return list(zip(as_text(self.values), *self.frame.get_columns()[1:], strict=True))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the levels, finest first; their numbers if unnamed."""
        return tuple(self.frame.columns)

    @property
    def n_levels(self) -> int:
        """Number of levels, including the value itself and ``*``."""
        return self.frame.width

    @property
    def height(self) -> int:
        """Index of the last level."""
        return self.frame.width - 1

    @property
    def n_values(self) -> int:
        """Number of values listed."""
        return self.frame.height

    @property
    def values(self) -> pl.Series:
        """The values listed: level 0."""
        return self.frame.to_series(0)

    def level_index(self, level: int | str) -> int:
        """Index of a level given by index or by name."""
        if isinstance(level, str) and level in self.names:
            return self.names.index(level)
        if isinstance(level, str) and not level.isdecimal():
            raise HierarchyError(
                "No level '{level}' in the hierarchy.{hint} Levels: {names:quoted}.",
                level=level,
                hint=did_you_mean(level, self.names),
                names=self.names,
            )
        if not 0 <= int(level) <= self.height:
            raise HierarchyError(
                "No level {level} in the hierarchy: its levels are 0 to {highest}.",
                level=level,
                highest=self.height,
            )
        return int(level)

    @cached_property
    def codes(self) -> NDArray[np.int32]:
        """Label of each value at each level as a number: (values, levels), from 0 upwards."""
        codes = np.empty((self.n_values, self.n_levels), dtype=np.int32, order="C")
        codes[:, 0] = np.arange(self.n_values)
        for level in range(1, self.n_levels):
            codes[:, level] = rows_of(self.frame.to_series(level), self.labels(level))
        return codes

    def labels(self, level: int | str) -> pl.Series:
        """The distinct labels of a level in the order of their codes."""
        return self.frame.to_series(self.level_index(level)).unique(maintain_order=True)

    @cached_property
    def n_labels(self) -> tuple[int, ...]:
        """Number of distinct labels of each level."""
        return tuple(column.n_unique() for column in self.frame.get_columns())

    def leaf_counts(self, level: int | str) -> NDArray[np.int64]:
        """Number of values under each label of a level, in the order of their codes."""
        index = self.level_index(level)
        return np.bincount(self.codes[:, index], minlength=self.n_labels[index])

    def parents(self, level: int | str) -> NDArray[np.int32]:
        """Code, one level up, of each label of a level; the last level has none above it."""
        index = self.level_index(level)
        if index == self.height:
            raise HierarchyError(
                "Level {index} is the last of the hierarchy: there is none above it.", index=index
            )
        parents = np.empty(self.n_labels[index], dtype=np.int32)
        parents[self.codes[:, index]] = self.codes[:, index + 1]
        return parents

    def groups(self, level: int | str) -> pl.DataFrame:
        """The labels of a level and how many values each covers."""
        return pl.DataFrame(
            {"label": as_text(self.labels(level)), "n_values": self.leaf_counts(level)}
        )

    def match(self, column: pl.Series | Distinct) -> Match:
        """Look up a column's values; a :class:`Distinct` saves a second pass over the records."""
        distinct = column if isinstance(column, Distinct) else Distinct.of(column)
        return Match(distinct, rows_of(distinct.values.alias(distinct.name), self.values))

    def generalize(
        self, column: pl.Series, level: int | str, unlisted: Unlisted = "error"
    ) -> pl.Series:
        """The column at a level of the hierarchy: text, or itself at level 0 (text with ``star``).

        Missing stays missing. Takes one pass to find the distinct values and one to assign labels.
        """
        index = self.level_index(level)
        match = self.match(column)
        if unlisted == "error":
            match.require_all()
        if index == 0 and unlisted == "error":
            return column
        return match.distinct.spread(self.labels_of(match, index))

    def labels_of(self, match: Match, level: int | str) -> pl.Series:
        """Label of each distinct value of a matched column; ``*`` if it is not listed."""
        labels = as_text(self.frame.to_series(self.level_index(level)))
        with_star = pl.concat([labels, pl.Series(labels.name, [STAR], dtype=pl.String)])
        rows = np.where(match.rows < 0, self.n_values, match.rows)
        return with_star.gather(pl.Series(rows.astype(np.uint32)))

    def validate(self, source: str | None = None) -> None:
        """Raise :class:`HierarchyError` unless each value occurs once and the levels nest."""
        where = f"{source}: " if source else ""
        for index, column in enumerate(self.frame.get_columns()):
            empty = column.null_count()
            if index and column.dtype == pl.String:
                empty += int((column == "").sum())
            if empty:
                raise HierarchyError(
                    "{where}The hierarchy has 1 row without a label at level {level}.",
                    many="{where}The hierarchy has {n} rows without a label at level {level}.",
                    where=where,
                    n=empty,
                    level=self._title(index),
                )
        twice = self.n_values - self.n_labels[0]
        if twice:
            raise HierarchyError(
                "{where}The hierarchy repeats 1 value with different labels. Give each value "
                "one place.",
                many="{where}The hierarchy repeats {n} values with different labels. Give each "
                "value one place.",
                where=where,
                n=twice,
            )
        self._require_nesting(where)
        if self.n_values and (self.n_labels[-1] != 1 or self.frame.to_series(-1)[0] != STAR):
            raise HierarchyError("{where}The last level must be `*` for every value.", where=where)

    def _require_nesting(self, where: str) -> None:
        for index in range(1, self.height):
            here, above = self.frame.to_series(index), self.frame.to_series(index + 1)
            pairs = pl.DataFrame({"here": here, "above": above}).unique()
            torn = pairs.filter(pairs["here"].is_duplicated())["here"].n_unique()
            if torn:
                raise HierarchyError(
                    "{where}Levels do not nest: 1 label of level {level} under more than one "
                    "label of level {above}. Give each label one place.",
                    many="{where}Levels do not nest: {n} labels of level {level} under more than "
                    "one label of level {above}. Give each label one place.",
                    where=where,
                    n=torn,
                    level=self._title(index),
                    above=self._title(index + 1),
                )

    def _title(self, index: int) -> str:
        name = self.names[index]
        return str(index) if name == str(index) else f"{index} ('{name}')"


def stars(length: int) -> pl.Series:
    """A level of ``*`` only."""
    return pl.Series([STAR], dtype=pl.String).new_from_index(0, length)


def _names(names: Sequence[str], n_levels: int, where: str) -> list[str]:
    """One distinct name for each level; the top is ``*`` unless named."""
    if not names:
        return [*(str(index) for index in range(n_levels - 1)), STAR]
    if len(names) not in (n_levels, n_levels - 1):
        raise HierarchyError(
            "{where}1 level name for a hierarchy of {n_levels} levels (the last is `*`). Name "
            "each level, finest first; the last need not be named.",
            many="{where}{n} level names for a hierarchy of {n_levels} levels (the last is `*`). "
            "Name each level, finest first; the last need not be named.",
            where=where,
            n=len(names),
            n_levels=n_levels,
        )
    full = [*names, STAR][:n_levels]
    if len(set(full)) < n_levels:
        raise HierarchyError(
            "{where}Two levels of the hierarchy have the same name. Give each its own.", where=where
        )
    return full
