"""Building hierarchies from recipe entries, and describing them as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import polars as pl
from pydantic_core import core_schema

from microveil.hierarchies.base import HierarchyBuilder
from microveil.hierarchies.by_order import Frequency, Order
from microveil.hierarchies.codes import Codes
from microveil.hierarchies.dates import Dates
from microveil.hierarchies.digits import Digits, Prefix
from microveil.hierarchies.file import File
from microveil.hierarchies.hierarchy import Hierarchy
from microveil.hierarchies.intervals import Intervals
from microveil.hierarchies.tree import Tree
from microveil.hierarchies.trees import to_tree
from microveil.hierarchies.type_based import Types
from microveil.specs import Registry
from microveil.tables.values import as_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue

HIERARCHIES = Registry[HierarchyBuilder](
    "hierarchy", Codes, Dates, Digits, File, Frequency, Intervals, Order, Prefix, Tree, Types
)


class _Shorthand:
    """Allow a path to stand for a file, and ``{tree: …}`` for a tree, wherever a builder may."""

    def __get_pydantic_core_schema__(
        self, source: type[HierarchyBuilder], handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_before_validator_function(_written_out, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        path = {"type": "string", "description": "Path to a hierarchy file."}
        return {"anyOf": [path, handler(schema)]}


AnyHierarchy = Annotated[HierarchyBuilder, HIERARCHIES, _Shorthand()]
"""A builder in a spec: its own fields, the path of a file, or an inline ``tree``."""


def build_hierarchy(source: Any, values: pl.Series | Iterable[Any] = ()) -> Hierarchy:
    """Build the hierarchy for a builder, its plain data, a path or a hierarchy itself.

    ``values`` are those of the column; trees and files do not need them.

    >>> build_hierarchy({"hierarchy": "digits"}, ["08003", "08021"]).names
    ('0', '1', '2', '3', '4', '*')
    """
    if isinstance(source, Hierarchy):
        return source
    column = values if isinstance(values, pl.Series) else pl.Series("values", list(values))
    return as_builder(source).build(column)


def as_builder(source: Any) -> HierarchyBuilder:
    """The builder for a recipe entry."""
    if isinstance(source, HierarchyBuilder):
        return source
    return HIERARCHIES.parse(_written_out(source))


def describe(hierarchy: Hierarchy, most: int = 20) -> dict[str, Any]:
    """Describe a hierarchy as plain data: its levels, their label counts, the first labels."""
    return {
        "n_values": hierarchy.n_values,
        "n_levels": hierarchy.n_levels,
        "levels": [
            {
                "level": index,
                "name": name,
                "n_labels": hierarchy.n_labels[index],
                "labels": as_text(hierarchy.labels(index).head(most)).to_list(),
            }
            for index, name in enumerate(hierarchy.names)
        ],
    }


def _written_out(raw: Any) -> Any:
    """The full form of a shorthand; anything else unchanged."""
    if isinstance(raw, str):
        return {"hierarchy": "file", "path": raw}
    if isinstance(raw, Hierarchy):
        return {"hierarchy": "tree", "tree": to_tree(raw), "levels": raw.names}
    if isinstance(raw, Mapping) and "tree" in raw and "hierarchy" not in raw:
        return {"hierarchy": "tree", **raw}
    return raw
