"""The checker's side: all tables of a folder as one system, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from microveil.tabulation.outputs.appetite import RiskAppetite
from microveil.tabulation.outputs.derivations import Derived, derive_cells, name_of
from microveil.tabulation.outputs.reading import OutputTable, read_outputs, unify_labels
from microveil.texts import Message

Verdict = Literal["pass", "review", "fail"]


@dataclass(frozen=True)
class Finding:
    """What is wrong with a cell, published or derived."""

    cell: str
    value: float
    reason: str
    tables: tuple[str, ...]
    verdict: Verdict = "fail"


@dataclass(frozen=True)
class OutputsCheck:
    """The verdict on a folder of outputs."""

    tables: tuple[str, ...]
    others: tuple[str, ...]
    """Files that hold no table: a person looks at them."""
    findings: tuple[Finding, ...]

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of all."""
        if any(one.verdict == "fail" for one in self.findings):
            return "fail"
        return "review" if self.findings or self.others else "pass"

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "verdict": self.verdict,
            "tables": list(self.tables),
            "to_review": list(self.others),
            "findings": [vars(one) | {"tables": list(one.tables)} for one in self.findings],
        }


def check_outputs(
    folder: str | Path,
    appetite: RiskAppetite | None = None,
    accepted: str | Path | None = None,
) -> OutputsCheck:
    """Check every table of a folder, and all of them together with those accepted before."""
    limits = appetite or RiskAppetite()
    tables, others = read_outputs(folder)
    before = [] if accepted is None else read_outputs(accepted)[0]
    before = [replace(one, name=f"accepted: {one.name}") for one in before]
    return OutputsCheck(
        tuple(table.name for table in tables if not table.links),
        tuple(others),
        tuple(check_tables(tables, before, limits)),
    )


def check_tables(
    tables: Sequence[OutputTable], before: Sequence[OutputTable], limits: RiskAppetite
) -> list[Finding]:
    """What is wrong with tables by themselves, and together with earlier ones."""
    found = [finding for table in tables for finding in _check_table(table, limits)]
    names = {table.name for table in tables}
    shown = {(one.cell, one.value) for one in found}
    exact = [one for one in unify_labels([*tables, *before]) if not _is_rounded(one, limits)]
    for derived in derive_cells(exact):
        small = 0 < derived.value < limits.threshold
        if small and names & set(derived.tables) and (derived.cell, derived.value) not in shown:
            reason = _derived_reason(derived, limits.threshold)
            verdict: Verdict = "fail" if derived.sure else "review"
            found.append(Finding(derived.cell, derived.value, reason, derived.tables, verdict))
    return found


def _is_rounded(table: OutputTable, limits: RiskAppetite) -> bool:
    """Whether every count is a multiple of the base: differences of such tables tell nothing."""
    base = limits.rounding
    known = [value for value in table.cells.values() if value is not None]
    return base is not None and bool(known) and all(value % base == 0 for value in known)


def _check_table(table: OutputTable, limits: RiskAppetite) -> list[Finding]:
    """Published counts that are too small, or no multiples of the base."""
    if not table.counts:
        return []
    found = []
    for key, value in table.cells.items():
        if value is None:
            continue
        if 0 < value < limits.threshold:
            reason = Message(
                "outputs.small",
                "has {value} people, below {threshold}",
                value=f"{value:g}",
                threshold=limits.threshold,
            )
            found.append(Finding(name_of(key), value, reason, (table.name,)))
        elif value == 0 and not limits.zeros:
            found.append(
                Finding(name_of(key), 0, Message("outputs.empty", "is empty"), (table.name,))
            )
        elif limits.rounding is not None and value % limits.rounding:
            reason = Message("outputs.unrounded", "is no multiple of {base}", base=limits.rounding)
            found.append(Finding(name_of(key), value, reason, (table.name,)))
    return found


def _derived_reason(derived: Derived, threshold: int) -> Message:
    """How a cell follows from others, and why it may not."""
    told: dict[str, Any] = {"value": f"{derived.value:g}", "threshold": threshold}
    if derived.total:
        whole, first, second = derived.total
        return Message(
            "outputs.possible_sum",
            "may be derived by linking, if {whole} is the sum of {first} and {second}: "
            "{value} is below {threshold}",
            whole=whole,
            first=first,
            second=second,
            **told,
        )
    if derived.how == "differencing" and not derived.sure:
        return Message(
            "outputs.possible_difference",
            "may be derived by differencing, if one table is about a part of the other's people: "
            "{value} is below {threshold}",
            **told,
        )
    if derived.how == "differencing":
        return Message(
            "outputs.differencing",
            "can be derived by differencing: {value} is below {threshold}",
            **told,
        )
    if derived.how == "linking":
        return Message(
            "outputs.linking", "can be derived by linking: {value} is below {threshold}", **told
        )
    if derived.how == "subpopulation":
        return Message(
            "outputs.subpopulation",
            "can be derived by subpopulation: {value} is below {threshold}",
            **told,
        )
    return Message(
        "outputs.subtraction", "can be derived by subtraction: {value} is below {threshold}", **told
    )
