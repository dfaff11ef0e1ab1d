"""The report of a run in parts, from what was recorded while the file was processed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from microveil.files import write_text
from microveil.files.texts import write_bytes
from microveil.measures.evidence import perturbed_keys
from microveil.release.verifying import WrittenFile
from microveil.reports.cautions import cautions_of
from microveil.reports.contents.pdf import pdf_of
from microveil.reports.exporting import export_sentences
from microveil.reports.page import page
from microveil.reports.plain import plain
from microveil.reports.requirements import requirements_of, verdict_of
from microveil.reports.risks import pair_scenarios, plain_risks
from microveil.reports.summarizing import MISSING_WORDS, TITLE, software, steps_of
from microveil.reports.summary import Content, Summary, Utility

if TYPE_CHECKING:
    from microveil.files import WriteReport
    from microveil.files.placing import Placing
    from microveil.privacy import Check
    from microveil.recipes import Recipe
    from microveil.release import Release
    from microveil.release.cautions import Caution
    from microveil.release.deriving import Derivation
    from microveil.release.release import StepFacts
    from microveil.risk import Assessment
    from microveil.scores import Score
    from microveil.tables import Table

NO_FIGURES = (
    "The table was worked through in parts and never whole in memory: figures, and measures that "
    "lay all records side by side, are left out."
)


@dataclass(frozen=True, eq=False)
class PartsRelease:
    """What is known about a release that was never in memory as a whole."""

    recipe: Recipe
    original: Table
    """A few rows of the original, for its columns and roles."""
    checks: tuple[Check, ...]
    facts: tuple[StepFacts, ...]
    before: Assessment
    after: Assessment
    cell_changes: Score | None
    """None if rows were never paired."""
    columns: tuple[str, ...]
    """Released columns."""
    n_records: int
    n_removed: int
    cautions: tuple[Caution, ...] = ()
    """What the requirements leave open, and keys that say nothing any more."""
    held_back: tuple[str, ...] = ()
    derivations: tuple[Derivation, ...] = ()
    """What the release gives back of its keys."""
    made_by: str | None = None
    """Who is responsible for the release."""
    language: str = "en"
    """Language of the report."""


def write_parts_report(
    done: PartsRelease, path: Path, written: WriteReport | None, placing: Placing | None = None
) -> None:
    """Write the internal report: ``.html`` one page, the same as ``.pdf``, ``.json`` plain data."""
    summary = summarize_parts(done, written)
    if path.suffix.lower() == ".json":
        text = json.dumps(summary.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    else:
        text = page(summary, remark=NO_FIGURES, language=done.language)
    if path.suffix.lower() == ".pdf":
        write_bytes(pdf_of(text, summary.title), path, placing)
    else:
        write_text(text, path, placing)


def summarize_parts(done: PartsRelease, written: WriteReport | None) -> Summary:
    """The contents of the report."""
    known = cast("Release", done)
    holds = all(check.holds for check in done.checks)
    file = None if written is None else _file(written, holds=holds)
    return Summary(
        title=TITLE,
        audience="internal",
        date=datetime.now(UTC).date().isoformat(),
        verdict=verdict_of(known, file),
        cautions=(*map(str, done.cautions), *cautions_of(done.recipe, done.original)),
        content=_content(done),
        requirements=requirements_of(known, "internal"),
        roles=plain(done.recipe.roles.to_dict()),
        steps=steps_of(known, "internal"),
        missing=MISSING_WORDS[done.recipe.missing_keys],
        utility=None if done.cell_changes is None else _utility(done.cell_changes),
        software=software(),
        class_sizes_valid=not perturbed_keys(done.recipe, done.original),
        made_by=done.made_by,
        risk=plain_risks(pair_scenarios(done.before, done.after)),
        file=file if holds else None,
        export=export_sentences(written, "internal"),
    )


def _file(written: WriteReport, *, holds: bool) -> WrittenFile:
    said = "It was read again: it has all rows, and all requirements hold in it."
    told = said if holds else "It was read again, a requirement is broken, and it was removed."
    return WrittenFile(Path(written.path).name, written.n_bytes, written.sha256, holds, told)


def _utility(cells: Score) -> Utility:
    return Utility(
        float(cells.value),
        {str(name): float(share) for name, share in cells.parts["kept"].items()},
        rounded=False,
        parts={name: part for name, part in cells.parts.items() if name != "kept"},
    )


def _content(done: PartsRelease) -> Content:
    return Content(
        n_records=done.n_records,
        n_records_original=done.n_records + done.n_removed,
        n_records_removed=done.n_removed,
        columns=done.columns,
        columns_removed=tuple(name for name in done.original.columns if name not in done.columns),
        columns_undecided=(),
    )
