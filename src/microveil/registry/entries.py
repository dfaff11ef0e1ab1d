"""Entries of the registry: what left, when, by which recipe, and what was checked; never data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self

Kind = Literal["microdata", "linked", "synthesis", "tables", "outputs", "queries"]


@dataclass(frozen=True)
class Output:
    """A file that left, told from any other by its checksums."""

    name: str
    sha256: str | None = None
    content_sha256: str | None = None
    """Checksum of its rows in whatever order, so that a sorted or converted copy is recognised."""
    n_rows: int = 0
    columns: tuple[str, ...] = ()
    target: str | None = None
    """Where it was written, for a run that was stopped on the way."""


@dataclass(frozen=True)
class ReleaseEntry:
    """One thing that left: files, tables, outputs, synthetic records, or answers to queries."""

    id: str
    at: str
    """Time in UTC."""
    kind: Kind
    source: str
    """Name of what it was made of."""
    audience: str | None = None
    made_by: str | None = None
    recipe: str | None = None
    """The recipe as text."""
    recipe_sha256: str | None = None
    requirements: tuple[Mapping[str, Any], ...] = ()
    checks: tuple[Mapping[str, Any], ...] = ()
    input_sha256: str | None = None
    outputs: tuple[Output, ...] = ()
    n_records: int = 0
    people_by: str | None = None
    """Column that told people apart; ``rows`` if their content did."""
    n_people: int = 0
    key_sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Quasi-identifiers, under the empty name, and those of scenarios."""
    privacy_loss: Mapping[str, Any] | None = None
    composition: Mapping[str, Any] | None = None
    """What it tells together with the releases before it."""
    measured: Mapping[str, Any] | None = None
    """Risk, utility and the shape of the data, for the gate of the next release."""
    signatures: str | None = None
    """Checksum of its signatures, which are stored apart."""
    version: str = ""
    """Of the program."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Self:
        """The entry in plain data; fields of a later version are left out."""
        known = {name: plain[name] for name in cls.__dataclass_fields__ if name in plain}
        outputs = tuple(
            Output(**{**one, "columns": tuple(one.get("columns", ()))})
            for one in known.get("outputs", ())
        )
        sets = {name: tuple(keys) for name, keys in known.get("key_sets", {}).items()}
        more = {"outputs": outputs, "key_sets": sets}
        for name in ("requirements", "checks"):
            more[name] = tuple(known.get(name, ()))
        return cls(**{**known, **more})

    @property
    def title(self) -> str:
        """How lists name it."""
        names = ", ".join(one.name for one in self.outputs)
        return names or f"{self.kind} of {self.source}"
