"""Comparing a table with its expected schema: findings with columns and counts, never a value."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from microveil.errors import did_you_mean
from microveil.files.columns.expected.schema import ExpectedColumn, ExpectedSchema, Kind, Severity
from microveil.files.columns.expected.type_words import passes_as, type_word
from microveil.texts import Message, phrase


@dataclass(frozen=True)
class SchemaFinding:
    """One way in which a table is not as expected."""

    kind: Kind
    column: str
    severity: Severity
    sentence: str
    n_cells: int | None = None
    """Number of cells it is about, where it is about cells."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        plain = {"kind": self.kind, "column": self.column, "severity": self.severity}
        counted = {} if self.n_cells is None else {"n_cells": self.n_cells}
        return plain | counted | {"sentence": str(self.sentence)}


def compare_with_schema(
    plan: pl.LazyFrame, schema: ExpectedSchema, derived: Collection[str] = ()
) -> tuple[SchemaFinding, ...]:
    """Findings in the order of the schema's columns, without those that are to be ignored.

    The plan is read once. ``derived`` are columns that the recipe makes itself.
    """
    types = plan.collect_schema()
    found = [*_of_columns(schema, types, derived), *_of_types(schema, types)]
    named = {one.column for one in found}
    sound = [name for name in schema.columns if name in types and name not in named]
    counts = _count(plan, {name: schema.columns[name] for name in sound}, types)
    found += [one for name in sound for one in _of_cells(schema, name, counts)]
    return tuple(one for one in found if one.severity != "ignore")


def _of_columns(
    schema: ExpectedSchema, types: pl.Schema, derived: Collection[str]
) -> Iterator[SchemaFinding]:
    new = [name for name in types if name not in schema.columns and name not in derived]
    for name in schema.columns:
        if name not in types:
            told = phrase(
                "The expected column '{name}' is not in the data.{hint}",
                name=name,
                hint=did_you_mean(name, new),
            )
            kind: Kind = "missing_column"
            yield SchemaFinding(kind, name, schema.severity_of(kind, name), told)
    for name in new:
        told = phrase("Column '{name}' is not expected.", name=name)
        yield SchemaFinding("new_column", name, schema.severity_of("new_column"), told)


def _of_types(schema: ExpectedSchema, types: pl.Schema) -> Iterator[SchemaFinding]:
    for name, one in schema.columns.items():
        if name in types and not passes_as(types[name], one.type):
            told = phrase(
                "Column '{name}' is read as {found}, and {expected} is expected. Say how it is "
                "read in the recipe's `reading`, or correct the schema.",
                name=name,
                found=type_word(types[name]),
                expected=one.type,
            )
            severity = schema.severity_of("changed_type", name)
            yield SchemaFinding("changed_type", name, severity, told)


def _count(
    plan: pl.LazyFrame, columns: dict[str, ExpectedColumn], types: pl.Schema
) -> dict[str, int]:
    """Missing cells, cells and values of new categories, and cells out of range, by column."""
    wanted = []
    for place, (name, one) in enumerate(columns.items()):
        wanted.append(pl.col(name).null_count().alias(f"missing {place}"))
        if one.categories is not None and types[name] != pl.Null:
            texts = pl.col(name).cast(pl.String)
            new = ~texts.is_in([_text(known) for known in one.categories])
            wanted.append(new.sum().alias(f"cells {place}"))
            wanted.append(texts.filter(new).n_unique().alias(f"values {place}"))
        if beyond := _beyond(name, one, types[name]):
            wanted.append(pl.any_horizontal(beyond).sum().alias(f"beyond {place}"))
    if not wanted:
        return {}
    row = plan.select(wanted).collect(engine="streaming").row(0, named=True)
    names = list(columns)
    parts = [(key.split(" "), value) for key, value in row.items()]
    return {f"{what} {names[int(place)]}": int(value or 0) for (what, place), value in parts}


def _text(category: str | float) -> str:
    return str(category).lower() if isinstance(category, bool) else str(category)


def _beyond(name: str, one: ExpectedColumn, dtype: pl.DataType) -> list[pl.Expr]:
    if dtype == pl.Null:
        return []
    cells = pl.col(name).dt.date() if isinstance(dtype, pl.Datetime) else pl.col(name)
    low = [] if one.at_least is None else [cells < one.at_least]
    return low + ([] if one.at_most is None else [cells > one.at_most])


def _of_cells(schema: ExpectedSchema, name: str, counts: dict[str, int]) -> Iterator[SchemaFinding]:
    def finding(kind: Kind, n_cells: int, told: Message) -> SchemaFinding:
        return SchemaFinding(kind, name, schema.severity_of(kind, name), told, n_cells)

    if n_new := counts.get(f"cells {name}", 0):
        told = phrase(
            "Column '{name}' has 1 new category (cells: {n_cells:,}).",
            many="Column '{name}' has {n:,} new categories (cells: {n_cells:,}).",
            n=counts[f"values {name}"],
            name=name,
            n_cells=n_new,
        )
        yield finding("new_category", n_new, told)
    if n_beyond := counts.get(f"beyond {name}", 0):
        told = phrase(
            "1 cell of column '{name}' lies outside its expected range.",
            many="{n:,} cells of column '{name}' lie outside its expected range.",
            n=n_beyond,
            name=name,
        )
        yield finding("out_of_range", n_beyond, told)
    n_missing = counts.get(f"missing {name}", 0)
    if n_missing and not schema.columns[name].missing:
        told = phrase(
            "1 cell of column '{name}' is missing, where none is expected to be.",
            many="{n:,} cells of column '{name}' are missing, where none is expected to be.",
            n=n_missing,
            name=name,
        )
        yield finding("missing_cells", n_missing, told)
