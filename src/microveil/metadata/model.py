"""The model behind every format: tables, variables, categories, and what was done to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from microveil.metadata.study import Study
from microveil.metadata.treatments import Treatment

Kind = Literal["boolean", "integer", "number", "date", "datetime", "time", "text", "other"]
Role = Literal["weight", "household", "entity", "stratum", "key"]


@dataclass(frozen=True)
class Category:
    """One value of a variable, and what it means."""

    value: str
    label: str | None = None
    missing: bool = False
    """Whether it stands for a kind of missing."""


@dataclass(frozen=True)
class Variable:
    """One released column, as a user of the data needs to know it."""

    name: str
    kind: Kind
    label: str | None = None
    universe: str | None = None
    """Who it is about, where that is not everybody."""
    categories: tuple[Category, ...] = ()
    complete: bool = True
    """Whether all values are listed; rare ones are not."""
    range: tuple[str, str] | None = None
    """Round numbers that all values lie between."""
    has_missing: bool = False
    role: Role | None = None
    references: tuple[str, str] | None = None
    """The table and column whose values it repeats."""
    treatments: tuple[Treatment, ...] = ()

    @property
    def role_words(self) -> str | None:
        """What the column is for, if it is no characteristic."""
        return None if self.role is None else ROLES[self.role]


ROLES: Mapping[Role, str] = {
    "weight": "Sampling weight",
    "household": "Tells which records are of one household",
    "entity": "Tells which records are of one person or unit",
    "stratum": "Stratum of the sample",
    "key": "Links the tables; the number itself has no meaning",
}


@dataclass(frozen=True)
class DataFile:
    """The file that holds a table."""

    name: str
    format: str
    n_bytes: int | None = None
    sha256: str | None = None


@dataclass(frozen=True)
class DataTable:
    """One released table."""

    name: str
    variables: tuple[Variable, ...]
    n_records: int | str
    """A number, or fewer than ten."""
    file: DataFile | None = None
    treatments: tuple[Treatment, ...] = ()
    """What was done to the table as a whole."""

    @property
    def weight(self) -> Variable | None:
        """The sampling weight, if there is one."""
        return next((one for one in self.variables if one.role == "weight"), None)


@dataclass(frozen=True)
class Metadata:
    """What a release contains and what was done to it, in words that may be published."""

    title: str
    study: Study
    tables: tuple[DataTable, ...]
    checks: tuple[str, ...] = ()
    """Names of the requirements that were checked and hold."""
    date: str = ""
    software: str = "Microveil"
    privacy: str | None = None
    """What differential privacy promises, if a step has it."""
    synthetic: bool = False

    def write(self, target: str | Path) -> tuple[Path, ...]:
        """Write all formats into a folder, or one by its suffix: .html, .csv, .xml, .json, .jsonld.

        That is the codebook (HTML, CSV), DDI-Codebook 2.6, Croissant 1.1 and DCAT 3.
        """
        from microveil.metadata.writing import write_metadata

        return write_metadata(self, target)

    @property
    def protection(self) -> tuple[str, ...]:
        """What was done against disclosure, one sentence each, with the columns it concerns."""
        lines: dict[str, list[str]] = {}
        for table in self.tables:
            several = len(self.tables) > 1
            for one in table.treatments:
                lines.setdefault(one.sentence, [])
            for variable in table.variables:
                name = f"{table.name}.{variable.name}" if several else variable.name
                for one in variable.treatments:
                    lines.setdefault(one.sentence, []).append(name)
        told = [
            f"{sentence} Columns: {', '.join(names)}." if names else sentence
            for sentence, names in lines.items()
        ]
        return (*told, *filter(None, [self.privacy]), *self._tell_checks())

    def _tell_checks(self) -> tuple[str, ...]:
        if not self.checks:
            return ()
        return (f"Before publication these requirements were checked: {', '.join(self.checks)}.",)

    @property
    def limitations(self) -> tuple[str, ...]:
        """What an analyst must mind because of the protection."""
        kinds = {one.kind for table in self.tables for one in table.treatments}
        kinds |= {
            one.kind for table in self.tables for var in table.variables for one in var.treatments
        }
        return tuple(sentence for kind, sentence in LIMITATIONS.items() if kind in kinds)


LIMITATIONS: Mapping[str, str] = {
    "recoded": "Recoded variables are coarser than they were collected.",
    "suppressed": "Suppressed values and records are not missing at random: they were rare.",
    "perturbed": "Perturbed variables describe groups, not single records: a value may differ from "
    "the one that was collected, and standard errors do not include this.",
    "synthetic": "Synthetic values were drawn from a model; no record is that of a person.",
    "pseudonymised": "Pseudonyms tell records apart and have no other meaning.",
    "sampled": "The file is a sample.",
}
