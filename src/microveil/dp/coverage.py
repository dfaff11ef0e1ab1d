"""Coverage: which part of a release is differentially private."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from microveil.errors import quote

if TYPE_CHECKING:
    from microveil.methods import Method
    from microveil.tables import Table


@dataclass(frozen=True)
class Coverage:
    """Which columns of a release differential privacy covers, at which ε, and which it does not."""

    epsilon: float
    """Privacy loss ε of one record, for all covered columns together."""
    covered: tuple[str, ...]
    uncovered: tuple[str, ...]
    """Columns that are released without this guarantee."""
    sentence: str
    delta: float = 0.0
    """Probability δ that the loss is larger."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "epsilon": self.epsilon,
            "delta": self.delta,
            "covered": list(self.covered),
            "uncovered": list(self.uncovered),
            "sentence": self.sentence,
        }

    @property
    def holds(self) -> bool:
        """Whether everything that is released is covered."""
        return bool(self.covered) and not self.uncovered


def coverage(steps: Sequence[Method], table: Table, released: Sequence[str]) -> Coverage | None:
    """What the steps of a recipe guarantee for the released columns; None if no step is private.

    ε adds up over private steps. What a later step derives from covered columns alone stays
    covered. A column is not covered if a step that uses several rows at once changed it before, or
    mixed it with an uncovered one afterwards; and none is, if such a step may remove rows depending
    on uncovered columns.
    """
    promised = [step.guarantee_for(table) for step in steps]
    private = [one for one in promised if one is not None]
    if not private:
        return None
    covered: set[str] = set()
    spoilt: set[str] = set()
    for step, guarantee in zip(steps, promised, strict=True):
        columns = {name for name in step.touches(table) if name in table.columns}
        if guarantee is not None:
            covered |= set(guarantee.columns) - spoilt
        elif not step.row_wise and not columns <= covered:
            spoilt |= columns if step.kind() in KEEPS_ROWS else set(table.columns)
            covered -= spoilt
    epsilon, delta = sum(one.epsilon for one in private), sum(one.delta for one in private)
    inside = tuple(name for name in released if name in covered)
    outside = tuple(name for name in released if name not in covered)
    loss = f"ε = {epsilon:g}" if not delta else f"ε = {epsilon:g} and δ = {delta:g}"
    units = {one.unit for one in private}
    # What all steps together keep for several kinds of units they keep for a single record.
    unit = units.pop() if len(units) == 1 else "one record"
    return Coverage(
        epsilon, inside, outside, _sentence(f"{loss} for {unit}", inside, outside), delta
    )


KEEPS_ROWS = frozenset(
    {
        "additive_noise",
        "aggregate",
        "generalize",
        "group_rare",
        "half_swap",
        "local_suppression",
        "microaggregate",
        "multiplicative_noise",
        "permute",
        "pram",
        "randomized_response",
        "rank_swap",
        "round",
        "sample",
        "shuffle",
        "swap_records",
        "top_bottom_code",
    }
)
"""Steps that remove no rows, or remove them only at random."""


def _sentence(loss: str, covered: tuple[str, ...], uncovered: tuple[str, ...]) -> str:
    if not covered:
        return "No released column is differentially private: other steps changed them too."
    said = f"Differential privacy with {loss} covers column"
    said = f"{said} {quote(covered)}, as a set of rows in random order."
    if not uncovered:
        return f"{said} Nothing else is released."
    return (
        f"{said} It does not cover column {quote(uncovered)}: as long as these are in the same "
        "rows, the release as a whole is not differentially private."
    )
