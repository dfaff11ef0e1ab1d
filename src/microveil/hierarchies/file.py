"""A hierarchy from a file."""

from __future__ import annotations

from pathlib import PurePath
from typing import Literal

import polars as pl
from pydantic import Field

from microveil.hierarchies.base import HierarchyBuilder
from microveil.hierarchies.csv_file import read_csv, write_csv
from microveil.hierarchies.hierarchy import Hierarchy
from microveil.hierarchies.marked_file import read_marked, write_marked
from microveil.hierarchies.spelling import Ignored, with_spellings
from microveil.hierarchies.trees import read_yaml, write_yaml

YAML_ENDINGS = (".yaml", ".yml")
MARKED_ENDING = ".hrc"


class File(HierarchyBuilder):
    """A hierarchy from a file: CSV in ARX's layout, a tree in YAML, or τ-Argus' ``.hrc``."""

    hierarchy: Literal["file"] = "file"
    path: str = Field(min_length=1)
    """Path of the file, relative to the recipe's folder or the working directory."""
    levels: tuple[str, ...] = ()
    """Names of the levels, finest first; the last (``*``) need not be named."""
    ignore: tuple[Ignored, ...] = ()
    """What spellings of a listed value may differ in: ``case``, ``accents``, ``blanks``."""
    separator: str | None = Field(default=None, min_length=1, max_length=1)
    """Column separator of a CSV file; detected by default."""
    header: bool = False
    """Whether the first row of a CSV file names the levels."""

    def build(self, values: pl.Series) -> Hierarchy:
        """The hierarchy in the file, with the column's spellings where they may differ."""
        listed = read_hierarchy(
            self.path, names=self.levels, separator=self.separator, header=self.header
        )
        return with_spellings(listed, values, self.ignore)


def read_hierarchy(
    path: str | PurePath,
    *,
    names: tuple[str, ...] = (),
    separator: str | None = None,
    header: bool = False,
) -> Hierarchy:
    """Read a hierarchy file: ``.yaml`` is a tree, ``.hrc`` a list with marks, the rest CSV."""
    if PurePath(path).suffix.lower() == MARKED_ENDING:
        return read_marked(str(path), names)
    if PurePath(path).suffix.lower() in YAML_ENDINGS:
        return read_yaml(str(path), names)
    return read_csv(str(path), separator=separator, header=header, names=names)


def write_hierarchy(hierarchy: Hierarchy, path: str | PurePath) -> None:
    """Write a hierarchy file: ``.yaml`` a tree, ``.hrc`` for τ-Argus, anything else CSV for ARX."""
    if PurePath(path).suffix.lower() == MARKED_ENDING:
        write_marked(hierarchy, str(path))
        return
    if PurePath(path).suffix.lower() in YAML_ENDINGS:
        write_yaml(hierarchy, str(path))
    else:
        write_csv(hierarchy, str(path))
