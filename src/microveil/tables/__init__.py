"""Table, Roles, Classes; any data frame comes in, and the same kind goes out."""

from microveil.tables.classes import Classes, Missing
from microveil.tables.door import Door, to_polars
from microveil.tables.roles import Roles
from microveil.tables.standing import Standing, standing, standings
from microveil.tables.table import LazyTable, Table, as_table

__all__ = [
    "Classes",
    "Door",
    "LazyTable",
    "Missing",
    "Roles",
    "Standing",
    "Table",
    "as_table",
    "standing",
    "standings",
    "to_polars",
]
