"""Output checks: a package of outputs, the verdict on each, and the cells that can be derived."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from microveil.errors import InputError
from microveil.progress import Progress
from microveil.tabulation.outputs.appetite import RiskAppetite
from microveil.tabulation.outputs.checking import check_outputs
from microveil.tabulation.outputs.verdicts import verdicts_by_output
from microveil.texts import Message
from microveil.web.project.packing import unpack_files


@dataclass(frozen=True)
class FindingView:
    """A cell that is too small, or that can be derived, and from which outputs."""

    cell: str
    reason: str
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class OutputsView:
    """The verdict on a package of outputs."""

    verdict: str
    verdicts: tuple[tuple[str, str], ...]
    """Each output, the worst first."""
    findings: tuple[FindingView, ...]


def check_package(
    package: Path | None,
    accepted: Path | None,
    folder: Path,
    appetite: str,
    threshold: int | None,
    progress: Progress,
) -> OutputsView:
    """Check all outputs of a package as one system; what is unpacked is wiped at once."""
    if package is None:
        raise InputError(Message("app.send_outputs_first", "Send a package of outputs first."))
    limits = RiskAppetite.preset(appetite)
    if threshold is not None:
        limits = RiskAppetite.parse(limits.to_dict() | {"threshold": threshold})
    progress(0, 2, "read")
    folder.mkdir(mode=0o700)
    try:
        unpack_files(package, folder / "outputs")
        if accepted is not None:
            unpack_files(accepted, folder / "accepted")
        progress(1, 2, "check")
        before = None if accepted is None else folder / "accepted"
        found = check_outputs(folder / "outputs", limits, before)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    worst = {"fail": 0, "review": 1, "pass": 2}
    verdicts = sorted(verdicts_by_output(found).items(), key=lambda one: (worst[one[1]], one[0]))
    findings = tuple(FindingView(one.cell, one.reason, one.tables) for one in found.findings)
    return OutputsView(found.verdict, tuple(verdicts), findings)
