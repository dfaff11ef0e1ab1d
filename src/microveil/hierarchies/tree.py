"""Categories from a tree in the recipe."""

from __future__ import annotations

from typing import Any, Literal, Self

import polars as pl
from pydantic import field_validator, model_validator

from microveil.errors import HierarchyError
from microveil.hierarchies.base import HierarchyBuilder
from microveil.hierarchies.hierarchy import Hierarchy
from microveil.hierarchies.spelling import Ignored, with_spellings
from microveil.hierarchies.trees import from_tree, plain_tree


class Tree(HierarchyBuilder):
    """Categories grouped under labels, these under broader labels, and so on.

    >>> sites = Tree(tree={"video": ["YouTube", "Vimeo"], "dating": ["Tinder"]})
    >>> sites.build(pl.Series(["Vimeo"])).n_labels
    (3, 2, 1)
    """

    hierarchy: Literal["tree"] = "tree"
    tree: Any
    """Mapping of label to a list of categories, or to a smaller tree."""
    levels: tuple[str, ...] = ()
    """Names of the levels, finest first; the last (``*``) need not be named."""
    ignore: tuple[Ignored, ...] = ()
    """What spellings of a listed value may differ in: ``case``, ``accents``, ``blanks``."""

    @field_validator("tree")
    @classmethod
    def _plain(cls, raw: object) -> object:
        try:
            from_tree(raw)
        except HierarchyError as error:
            raise ValueError(error.message) from None
        return plain_tree(raw)

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        try:
            from_tree(self.tree, self.levels)
        except HierarchyError as error:
            raise ValueError(error.message) from None
        return self

    def build(self, values: pl.Series) -> Hierarchy:
        """The hierarchy of the tree, with the column's spellings where they may differ."""
        return with_spellings(from_tree(self.tree, self.levels), values, self.ignore)
