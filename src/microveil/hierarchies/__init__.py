"""Value hierarchies: what each value becomes at each level, from files and from builders."""

from microveil.hierarchies.base import HierarchyBuilder
from microveil.hierarchies.build import (
    HIERARCHIES,
    AnyHierarchy,
    as_builder,
    build_hierarchy,
    describe,
)
from microveil.hierarchies.by_order import Frequency, Order, skeleton, unlisted_values
from microveil.hierarchies.codes import Codes, recognise_codes
from microveil.hierarchies.dates import Dates
from microveil.hierarchies.digits import Digits, Prefix
from microveil.hierarchies.file import File, read_hierarchy, write_hierarchy
from microveil.hierarchies.hierarchy import STAR, Hierarchy, Match, Unlisted
from microveil.hierarchies.intervals import Interval, Intervals
from microveil.hierarchies.text_files import beside
from microveil.hierarchies.tree import Tree
from microveil.hierarchies.trees import from_tree, to_tree
from microveil.hierarchies.type_based import Types
from microveil.tables.values import Distinct

__all__ = [
    "HIERARCHIES",
    "STAR",
    "AnyHierarchy",
    "Codes",
    "Dates",
    "Digits",
    "Distinct",
    "File",
    "Frequency",
    "Hierarchy",
    "HierarchyBuilder",
    "Interval",
    "Intervals",
    "Match",
    "Order",
    "Prefix",
    "Tree",
    "Types",
    "Unlisted",
    "as_builder",
    "beside",
    "build_hierarchy",
    "describe",
    "from_tree",
    "read_hierarchy",
    "recognise_codes",
    "skeleton",
    "to_tree",
    "unlisted_values",
    "write_hierarchy",
]
