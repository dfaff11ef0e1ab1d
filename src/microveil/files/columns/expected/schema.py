"""The expected schema of a table: its columns, their types, categories and ranges, in a file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, Literal, Self

import yaml
from pydantic import Field, model_validator

from microveil.errors import FileError, SpecError, system_reason
from microveil.files.sources import expand_home
from microveil.files.texts import parsed_yaml, write_text
from microveil.specs import Spec
from microveil.texts import phrase

TypeWord = Literal[
    "text",
    "integer",
    "number",
    "boolean",
    "date",
    "datetime",
    "instant",
    "time",
    "duration",
    "list",
]
Kind = Literal[
    "missing_column", "new_column", "changed_type", "new_category", "out_of_range", "missing_cells"
]
Severity = Literal["error", "note", "ignore"]

HEAD = "# What the data should look like. An error stops a run, a note is only told.\n"


class Severities(Spec):
    """How severe each kind of finding is: an error stops the run, a note is told."""

    missing_column: Severity = "error"
    """An expected column is not in the data."""
    new_column: Severity = "error"
    """The data have a column that is not expected."""
    changed_type: Severity = "error"
    """A column has another type; whole numbers pass as numbers."""
    new_category: Severity = "error"
    """A column has a category that is not listed."""
    out_of_range: Severity = "note"
    """A number or date lies below ``at_least`` or above ``at_most``."""
    missing_cells: Severity = "note"
    """Cells are missing in a column where none should be."""


class ExpectedColumn(Spec):
    """What one column should look like."""

    type: TypeWord
    """Type of the cells, as the recipe reads them."""
    categories: tuple[str | int | bool, ...] | None = None
    """All categories; by default any cell is expected."""
    at_least: int | float | date | None = None
    """Smallest number or earliest day."""
    at_most: int | float | date | None = None
    """Largest number or latest day."""
    missing: bool = True
    """Whether cells may be missing."""
    severity: Mapping[Kind, Severity] = Field(default_factory=dict)
    """What is more or less severe for this column than for others."""

    @model_validator(mode="after")
    def _limits_fit_the_type(self) -> Self:
        limits = [one for one in (self.at_least, self.at_most) if one is not None]
        if not limits:
            return self
        dates = self.type in ("date", "datetime", "instant")
        numbers = self.type in ("integer", "number")
        if not (dates or numbers) or any(isinstance(one, date) != dates for one in limits):
            raise ValueError("`at_least` and `at_most` are numbers for numbers, and days for dates")
        return self


class ExpectedSchema(Spec):
    """What a table should look like: columns, types, categories and ranges.

    A recipe names its file in ``expect``; a run then refuses data that differ in what counts as an
    error. :func:`microveil.infer_schema` writes one from data that are as they should be.
    """

    severity: Severities = Severities()
    """What stops a run, and what is only told."""
    columns: Mapping[str, ExpectedColumn]
    """The columns, each with its type and what else is known of it."""

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a schema file, YAML or JSON; all its problems are reported at once."""
        try:
            text = expand_home(path).read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            raise FileError(
                "{path}: not UTF-8 text. Save the schema as UTF-8.", path=path
            ) from None
        except OSError as error:
            raise FileError(
                "{path}: cannot read the schema ({reason}). `microveil schema infer` writes one.",
                path=path,
                reason=system_reason(error),
            ) from None
        raw = parsed_yaml(text, str(path))
        if not isinstance(raw, dict):
            raise SpecError(
                [phrase("A schema is a mapping with `columns`.")],
                str(path),
            )
        return cls.parse(raw, str(path))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, without what is at its default."""
        plain: dict[str, Any] = (
            {"severity": self.severity.to_dict()} if self.severity != Severities() else {}
        )
        return plain | {"columns": {name: one.to_dict() for name, one in self.columns.items()}}

    def to_yaml(self) -> str:
        """The schema as YAML, every severity with it, as that is what people change."""
        plain = {**self.to_dict(), "severity": self.severity.model_dump()}
        return HEAD + yaml.safe_dump(
            plain, sort_keys=False, allow_unicode=True, default_flow_style=None, width=100
        )

    def write(self, path: str | Path) -> None:
        """Write the schema as YAML, atomically."""
        write_text(self.to_yaml(), path)

    def severity_of(self, kind: Kind, column: str = "") -> Severity:
        """How severe a kind of finding is, for one of the columns."""
        own = self.columns[column].severity if column in self.columns else {}
        general: Severity = getattr(self.severity, kind)
        return own.get(kind, general)
