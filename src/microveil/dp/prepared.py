"""Prepared: a private table prepared once for queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import polars as pl

from microveil.arrays import Longs
from microveil.dp.declaration import Column, Declaration, as_declaration
from microveil.dp.predicates import TYPES, enumeration, predicate
from microveil.errors import ColumnError, QueryError, quote
from microveil.tables import Table, to_polars

if TYPE_CHECKING:
    from microveil.dp.filters import Filter
    from microveil.dp.grids import MomentCode, SumCode
    from microveil.dp.keys import BinCode, KeyCode

    Code = KeyCode | BinCode | SumCode | MomentCode


MOST_CODES = 32
"""Columns of codes that are kept: an analyst can invent bins without end."""
MOST_COUNTS = 64
"""Counts of all rows that are kept."""
MOST_JOINS = 4
"""Combinations of public tables whose join is kept."""


def prepare(table: Any, declaration: Any, public: Mapping[str, Any] | None = None) -> Prepared:
    """Prepare a table: types as declared, contributions of each entity bounded, joins checked.

    ``public`` holds the public tables by name. Ask any number of queries of the result: codes of
    columns are computed once. Values that do not fit the declared type count as missing.
    """
    declaration = as_declaration(declaration)
    frame = table.frame if isinstance(table, Table) else to_polars(table)
    wanted = dict.fromkeys(declaration.columns)
    if declaration.entity is not None:
        wanted |= {declaration.entity.column: None}
    lacking = [name for name in wanted if name not in frame.columns]
    if lacking:
        raise ColumnError(f"The table has no column {quote(lacking)}, which is declared.")
    frame = frame.select(list(wanted))
    if declaration.entity is not None:
        frame = _first_rows(frame, declaration.entity.column, declaration.entity.max_rows)
    frame = cast_columns(frame, declaration.columns)
    if declaration.size_is_public and frame.height != declaration.size:
        raise ColumnError(
            "The table does not have the number of rows that its declaration makes public."
        )
    tables = {
        name: _public_frame(name, (public or {}).get(name), declaration)
        for name in declaration.tables
        if name in (public or {})
    }
    return Prepared(frame, declaration, tables)


def _first_rows(frame: pl.DataFrame, entity: str, most: int) -> pl.DataFrame:
    """The first rows of each entity.

    Which rows stay depends on the entity's own rows alone, so that adding or removing an entity
    affects nobody else.
    """
    kept = frame.filter(pl.col(entity).is_not_null())
    place = pl.int_range(pl.len(), dtype=pl.UInt32).over(entity)
    return kept.filter(place < most)


def cast_columns(frame: pl.DataFrame, columns: Mapping[str, Column]) -> pl.DataFrame:
    """Columns in their declared types; values that do not fit are missing, and so are not keys."""
    return frame.with_columns(
        _cast(frame.schema[name], name, column) for name, column in columns.items()
    )


def _cast(dtype: pl.DataType, name: str, column: Column) -> pl.Expr:
    cells = pl.col(name)
    if column.type == "text":
        text = cells.cast(pl.String, strict=False)
        return text if column.keys is None else text.cast(enumeration(column), strict=False)
    wanted = TYPES[column.type]
    if dtype == wanted:
        return cells.fill_nan(None) if column.type == "real" else cells
    if dtype == pl.String and column.type == "boolean":
        return cells.str.to_lowercase().replace_strict(
            ["true", "false"], [True, False], default=None, return_dtype=pl.Boolean
        )
    if dtype == pl.String and column.type == "date":
        return cells.str.to_date("%Y-%m-%d", strict=False)
    if dtype.is_float() and column.type == "integer":
        # Beyond what an integer holds lies beyond the bounds, and is not missing.
        return cells.fill_nan(None).clip(-(2.0**62), 2.0**62).cast(pl.Int64, strict=False)
    cast = cells.cast(wanted, strict=False)
    return cast.fill_nan(None) if column.type == "real" else cast


def _public_frame(name: str, frame: Any, declaration: Declaration) -> pl.DataFrame:
    table = declaration.tables[name]
    plain = to_polars(frame)
    lacking = [one for one in (table.key, *table.columns) if one not in plain.columns]
    if lacking:
        raise ColumnError(f"The public table '{name}' has no column {quote(lacking)}.")
    plain = plain.select(table.key, *table.columns)
    plain = cast_columns(plain, {table.key: declaration.columns[table.key], **table.columns})
    plain = plain.filter(pl.col(table.key).is_not_null())
    if plain[table.key].n_unique() < plain.height:
        raise ColumnError(
            f"The public table '{name}' has several rows for one value of '{table.key}'; a join "
            "would count a person several times. Keep one row for each."
        )
    return plain


class Prepared:
    """A private table prepared for queries. It holds data: keep it where the table is kept."""

    def __init__(
        self, frame: pl.DataFrame, declaration: Declaration, public: Mapping[str, pl.DataFrame]
    ) -> None:
        """Use :func:`prepare`, which checks and bounds the input."""
        self.declaration = declaration
        self._own = frame
        self._joins: dict[tuple[str, ...], pl.DataFrame] = {}
        self._public = public
        self._codes: dict[tuple[Code, tuple[str, ...]], pl.Series] = {}
        self._kept: dict[tuple[Code, tuple[str, ...]], Longs] = {}
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"Prepared({self.declaration.name!r})"

    def frame(self, join: tuple[str, ...] = ()) -> pl.DataFrame:
        """The rows, joined with public tables; each row stays one row."""
        join = tuple(sorted(join))
        if not join:
            return self._own
        with self._lock:
            if join not in self._joins:
                _keep(self._joins, join, self._join_public(join), MOST_JOINS)
            return self._joins[join]

    def _join_public(self, join: tuple[str, ...]) -> pl.DataFrame:
        frame = self._own
        for name in join:
            table = self.declaration.public_table(name)
            if name not in self._public:
                raise QueryError(f"The public table '{name}' was not provided.")
            frame = frame.join(self._public[name], on=table.key, how="left", maintain_order="left")
        return frame

    def code_columns(
        self, codes: list[Code], join: tuple[str, ...]
    ) -> tuple[pl.DataFrame, list[str]]:
        """The rows with columns of codes, each computed once as long as it is kept; their names."""
        join = tuple(sorted(join))
        frame = self.frame(join)
        names = {code: f"\0{at}" for at, code in enumerate(dict.fromkeys(codes))}
        with self._lock:
            found = {code: self._codes.get((code, join)) for code in names}
            made = [code for code, series in found.items() if series is None]
            if made:
                columns = [
                    code.expression(self.declaration, join).alias(names[code]) for code in made
                ]
                new = frame.select(columns)
                for code in made:
                    found[code] = new[names[code]]
            for code, series in found.items():
                if series is not None:
                    _keep(self._codes, (code, join), series, MOST_CODES)
        given = [series.alias(names[code]) for code, series in found.items() if series is not None]
        return frame.with_columns(given), [names[code] for code in codes]

    def cached_counts(self, code: Code, join: tuple[str, ...], count: Callable[[], Longs]) -> Longs:
        """What was counted of all rows before, or is counted now: a table does not change."""
        key = (code, tuple(sorted(join)))
        counts = self._kept.get(key)
        if counts is None:
            counts = count()
        with self._lock:
            _keep(self._kept, key, counts, MOST_COUNTS)
        return counts

    def condition(
        self, where: Filter | None, complete: tuple[str, ...], join: tuple[str, ...]
    ) -> pl.Expr | None:
        """Which rows count: where the filter is true and nothing required is missing."""
        tests = [] if where is None else [predicate(where, self.declaration, join)]
        frame = self.frame(join)
        tests += [pl.col(name).is_not_null() for name in complete if frame[name].null_count()]
        if not tests:
            return None
        whole = tests[0]
        for test in tests[1:]:
            whole = whole & test
        return whole


KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")


def _keep(kept: dict[KeyT, ValueT], key: KeyT, value: ValueT, most: int) -> None:
    """Store a value as the latest; those not used for longest make room."""
    kept.pop(key, None)
    kept[key] = value
    while len(kept) > most:
        del kept[next(iter(kept))]
