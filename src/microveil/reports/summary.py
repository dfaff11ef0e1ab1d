"""Summary: everything that a report says, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal

from microveil.release.verifying import WrittenFile
from microveil.reports.audience import Audience, Count
from microveil.reports.contents.checklists import Checklist

Tone = Literal["good", "bad", "open"]


@dataclass(frozen=True)
class Decision:
    """Whether the data may be released."""

    tone: Tone
    """``good``: they may; ``bad``: they must not; ``open``: there were no requirements."""
    headline: str
    sentence: str

    @property
    def releasable(self) -> bool:
        """Whether nothing prevents a release."""
        return self.tone != "bad"


@dataclass(frozen=True)
class Requirement:
    """One requirement and whether it is met; numbers only for internal readers."""

    model: str
    meaning: str
    holds: bool
    title: str
    column: str | None = None
    scenario: str | None = None
    required: float | None = None
    achieved: float | None = None
    n_broken: int | None = None
    sentence: str | None = None
    plainly: str | None = None
    """What it means for a person, where that can be said to everybody."""


@dataclass(frozen=True)
class Step:
    """One step in words."""

    method: str
    summary: str
    columns: tuple[str, ...]
    on_keys: bool
    """Whether it applies to the quasi-identifiers without naming columns of its own."""
    perturbative: bool
    parameters: Mapping[str, Any] | None = None
    facts: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Part:
    """A further table of the release."""

    name: str
    n_records: Count
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Column:
    """One released column in the codebook."""

    name: str
    kind: str
    n_levels: int | None
    """How many different values it has."""
    levels: tuple[str, ...] | None
    """The values themselves, where they are few."""
    n_rare: int = 0
    """Of these, how many are not listed because few records have them."""
    range: tuple[str, str] | None = None
    """Round numbers that all values lie between."""
    missing_share: float | None = None
    label: str | None = None
    """What the file of the original says about the column."""


@dataclass(frozen=True)
class Content:
    """What was released; a hidden count is None."""

    n_records: Count
    n_records_original: Count | None
    n_records_removed: Count | None
    columns: tuple[str, ...]
    columns_removed: tuple[str, ...]
    columns_undecided: tuple[str, ...]
    """Columns without a role that no step names; they prevent the data from being written."""
    parts: tuple[Part, ...] = ()
    codebook: tuple[Column, ...] = ()


@dataclass(frozen=True)
class Risk:
    """Disclosure risk by class sizes, for one set of quasi-identifiers."""

    scenario: str | None
    quasi_identifiers: tuple[str, ...]
    before: Mapping[str, Any]
    after: Mapping[str, Any] | None
    """None if no quasi-identifier is left."""


@dataclass(frozen=True)
class Utility:
    """What the protection cost."""

    lost_share: float | None
    """Share of original cells that are not shown unchanged."""
    kept: Mapping[str, float]
    """Share of unchanged cells of each column."""
    rounded: bool
    parts: Mapping[str, Any] | None = None
    scores: Mapping[str, Any] | None = None
    """Other measures, by name."""
    not_taken: Mapping[str, str] | None = None
    """Measures that could not be taken, or mean nothing on these data, and why."""
    note: str | None = None
    """Which columns of numbers are no quantities."""


@dataclass(frozen=True)
class TableSummary:
    """One of several linked tables."""

    name: str
    n_records: Count
    n_records_removed: Count | None
    columns: tuple[str, ...]
    columns_removed: tuple[str, ...]
    steps: tuple[Step, ...]
    requirements: tuple[Requirement, ...]
    """Those of the table by itself."""
    file: WrittenFile | None = None


@dataclass(frozen=True)
class Summary:
    """Everything that a report says."""

    title: str
    audience: Audience
    date: str
    verdict: Decision
    cautions: tuple[str, ...]
    content: Content
    requirements: tuple[Requirement, ...]
    roles: Mapping[str, Any]
    steps: tuple[Step, ...]
    missing: str
    """How a missing key is treated, in words."""
    utility: Utility | None
    software: Mapping[str, str]
    class_sizes_valid: bool
    """Whether counting classes is evidence of risk: not after a step that changes values."""
    opening: str | None = None
    """Requirements and attacks in one sentence, for internal readers."""
    privacy_loss: Mapping[str, Any] | None = None
    """ε and δ of the steps with differential privacy, what they cover and what they do not."""
    made_by: str | None = None
    """Who is responsible for the release."""
    source: str | None = None
    """Name of the original, for internal readers."""
    risk: tuple[Risk, ...] | None = None
    risk_scores: Mapping[str, Any] | None = None
    """Further risk measures, by name."""
    risk_not_taken: Mapping[str, str] | None = None
    """Risk measures that were not taken, and why."""
    risk_verdicts: tuple[Mapping[str, Any], ...] | None = None
    """Singling out, linkability, inference: the risk of the release, in words."""
    checklists: tuple[Checklist, ...] | None = None
    """What published rules ask, for internal readers; of the rules that the recipe follows."""
    file: WrittenFile | None = None
    export: tuple[str, ...] = ()
    """How the file was written, in sentences."""
    hidden: tuple[str, ...] = ()
    """What this report leaves out."""
    tables: tuple[TableSummary, ...] | None = None
    """Linked tables; a record of everything else is then a person, over all of them."""
    links: tuple[str, ...] | None = None
    """How the tables refer to each other."""
    format: int = field(default=1)
    """Version of this layout."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without what is hidden from the audience."""
        plain: dict[str, Any] = _plain(self)
        return plain


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        named = {one.name: getattr(value, one.name) for one in fields(value)}
        return {name: _plain(inner) for name, inner in named.items() if inner is not None}
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, tuple):
        return [_plain(inner) for inner in value]
    return value
