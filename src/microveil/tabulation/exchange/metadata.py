"""τ-Argus' metadata (``.rda``), and the data they describe (``.asc``, ``.csv``)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from microveil.errors import FileError, system_reason
from microveil.hierarchies import File
from microveil.tabulation.tabulation import Tabulation

_TAG = re.compile(r"^<(\w+)>\s*(.*)$")


@dataclass
class ArgusVariable:
    """One variable of the metadata."""

    name: str
    numbers: tuple[int, ...]
    """Start and width in a file of fixed width; the width alone otherwise."""
    missing: tuple[str, ...]
    tags: dict[str, str] = field(default_factory=dict)
    """Its attributes without the brackets, such as ``WEIGHT`` or ``HIERCODELIST``."""


@dataclass(frozen=True, eq=False)
class ArgusData:
    """Data that τ-Argus' files describe."""

    frame: pl.DataFrame
    variables: tuple[ArgusVariable, ...]
    folder: Path

    def _name_with(self, tag: str) -> str | None:
        return next((one.name for one in self.variables if tag in one.tags), None)

    @property
    def record_key(self) -> str | None:
        """The column of record keys, for the cell-key method."""
        return self._name_with("RECORDKEY")

    def hierarchies(self) -> dict[str, File]:
        """The hierarchies that the metadata name."""
        return {
            one.name: File(path=str(self.folder / one.tags["HIERCODELIST"].strip('"')))
            for one in self.variables
            if "HIERCODELIST" in one.tags
        }

    def tabulation(self, by: list[str], value: str | None = None, **more: Any) -> Tabulation:
        """A table of these data, with the weight, the holding and hierarchies of the metadata."""
        known = {name: one for name, one in self.hierarchies().items() if name in by}
        given: dict[str, Any] = {"weight": self._name_with("WEIGHT"), "hierarchies": known}
        given["contributor"] = self._name_with("HOLDING")
        return Tabulation(by=by, value=value, **(given | more))


def read_argus(data: str | Path, metadata: str | Path | None = None) -> ArgusData:
    """Read data with their metadata, by default the file beside them that ends in ``.rda``."""
    data = Path(data)
    described = Path(metadata) if metadata is not None else data.with_suffix(".rda")
    separator, variables = parse_metadata(_text(described), str(described))
    lines = [line for line in _text(data).splitlines() if line.strip()]
    if separator is None:
        rows = [[_cut(line, one) for one in variables] for line in lines]
    else:
        rows = [line.split(separator) for line in lines]
    short = next((at for at, row in enumerate(rows) if len(row) != len(variables)), None)
    if short is not None:
        raise FileError(
            "{path}: line {line} has {n} fields, and the metadata describe {wanted}.",
            path=data,
            line=short + 1,
            n=len(rows[short]),
            wanted=len(variables),
        )
    frame = pl.DataFrame(rows, schema={one.name: pl.String for one in variables}, orient="row")
    return ArgusData(
        frame.with_columns(_column_of(one) for one in variables), tuple(variables), described.parent
    )


def parse_metadata(text: str, source: str) -> tuple[str | None, list[ArgusVariable]]:
    """The separator (none: fixed width) and the variables."""
    separator: str | None = None
    variables: list[ArgusVariable] = []
    for line in (one.strip() for one in text.splitlines()):
        tag = _TAG.match(line)
        if tag is not None and tag[1] == "SEPARATOR":
            separator = tag[2].strip().strip('"')
        elif tag is not None and variables:
            variables[-1].tags[tag[1]] = tag[2].strip()
        elif line and tag is None:
            name, *rest = line.split()
            n = 2 if separator is None else 1
            if len(rest) < n or not all(one.isdigit() for one in rest[:n]):
                raise FileError(
                    "{source}: variable '{name}' needs its place and width.",
                    source=source,
                    name=name,
                )
            marks = tuple(one.strip('"') for one in rest[n:])
            variables.append(ArgusVariable(name, tuple(map(int, rest[:n])), marks))
    if not variables:
        raise FileError("{source}: the metadata describe no variable.", source=source)
    return separator, variables


def _cut(line: str, variable: ArgusVariable) -> str:
    start, width = variable.numbers
    return line[start - 1 : start - 1 + width]


def _column_of(variable: ArgusVariable) -> pl.Expr:
    """Numbers as numbers; codes keep their blanks on the left, as hierarchies write them."""
    column = pl.col(variable.name)
    plain = column.str.strip_chars()
    known = pl.when(plain.is_in([*variable.missing, ""])).then(None)
    if {"NUMERIC", "WEIGHT", "RECORDKEY"} & set(variable.tags):
        return known.otherwise(plain).cast(pl.Float64).alias(variable.name)
    return known.otherwise(column.str.strip_chars_end()).alias(variable.name)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        return path.read_text(encoding="latin-1")
    except OSError as error:
        raise FileError(
            "{path}: cannot be read ({reason}).", path=path, reason=system_reason(error)
        ) from None
