"""From a release to its summary: the one place that decides what each audience may see."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime
from importlib import metadata
from platform import python_version
from typing import TYPE_CHECKING, Any

from microveil.errors import RequirementNotMetError
from microveil.measures.evidence import perturbed_keys
from microveil.methods import Drop
from microveil.release import Release
from microveil.release.verifying import WrittenFile, reread
from microveil.reports.audience import (
    HIDDEN_FROM_PUBLIC,
    Audience,
    checked_audience,
    public_count,
    public_share,
    without_secrets,
)
from microveil.reports.cautions import cautions_of
from microveil.reports.contents.checklists import checklists_of
from microveil.reports.contents.codebook import codebook_of
from microveil.reports.contents.meanings import meaningful_utility
from microveil.reports.contents.opening import opening
from microveil.reports.exporting import export_sentences
from microveil.reports.parameters import shown_parameters
from microveil.reports.plain import plain
from microveil.reports.requirements import requirements_of, undecided_columns, verdict_of
from microveil.reports.risks import findings_of, risks_of
from microveil.reports.summary import Content, Part, Step, Summary, TableSummary, Utility
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.files import WriteReport

TITLE = Message("report.microdata_release_report", "Microdata release report")

MISSING_WORDS = {
    "category": Message(
        "report.missing_cell_value_own",
        "A missing cell is a value of its own: it matches other missing cells only.",
    ),
    "wildcard": Message(
        "report.missing_cell_matches_every", "A missing cell matches every value, as in sdcMicro."
    ),
}


def summarize(
    release: Release,
    audience: str = "internal",
    *,
    title: str = TITLE,
    written: WriteReport | Mapping[str, Any] | None = None,
    today: date | None = None,
    source: str | None = None,
    made_by: str | None = None,
) -> Summary:
    """Everything that a report of this release tells its audience.

    ``written`` is what was reported on writing the data (row order, neutralised formulas). A
    release that must not be published has no public report: it raises
    :class:`~microveil.errors.RequirementNotMetError` (or the error about undeclared columns).
    """
    reader = checked_audience(audience)
    if reader == "public":
        release.exportable()  # raises what stands against a release
    steps = steps_of(release, reader)
    internal = reader == "internal"
    file = reread(release, written)
    if file is not None and file.holds is False and not internal:
        raise RequirementNotMetError(
            "File {name}: {sentence} Write it again.", name=file.name, sentence=file.sentence
        )
    found = findings_of(release) if internal else None
    verdicts = None if found is None else tuple(one.to_dict() for one in found.verdicts)
    private = release.privacy_loss
    return Summary(
        title=title,
        made_by=made_by,
        source=source if internal else None,
        audience=reader,
        date=(today or datetime.now(UTC).date()).isoformat(),
        verdict=verdict_of(release, file),
        cautions=_cautions(release, reader),
        content=_content(release, reader),
        requirements=requirements_of(release, reader),
        roles=plain(release.recipe.roles.to_dict()),
        steps=steps,
        missing=MISSING_WORDS[release.recipe.missing_keys],
        utility=_utility(release, reader),
        software=software(),
        class_sizes_valid=not perturbed_keys(release.recipe, release.original),
        risk=risks_of(release) if internal else None,
        risk_scores=None if found is None else found.scores,
        risk_not_taken=None if found is None else found.not_taken,
        risk_verdicts=verdicts,
        opening=None if verdicts is None else opening(release, verdicts),
        privacy_loss=None if private is None else private.to_dict(),
        checklists=(checklists_of(release, file, made_by) or None) if internal else None,
        file=file,
        export=export_sentences(written, reader),
        hidden=() if internal else HIDDEN_FROM_PUBLIC,
    )


def summarize_table(
    name: str,
    release: Release,
    audience: Audience,
    inner: Collection[str],
    file: WrittenFile | None,
) -> TableSummary:
    """One of several linked tables; ``inner`` columns served the run and do not leave."""
    content = _content(release, audience)
    columns = tuple(column for column in content.columns if column not in inner)
    return TableSummary(
        name=name,
        n_records=content.n_records,
        n_records_removed=content.n_records_removed,
        columns=columns,
        columns_removed=tuple(one for one in content.columns_removed if one not in inner),
        steps=steps_of(release, audience),
        requirements=requirements_of(release, audience),
        file=file,
    )


def _cautions(release: Release, audience: Audience) -> tuple[str, ...]:
    """What a reader must know beyond the requirements."""
    perturbed = cautions_of(release.recipe, release.original)
    found = (*release.cautions, *release.attacks)
    if audience == "internal":
        return (*map(str, found), *perturbed, *release.warnings)
    return (*(one.for_the_public for one in found), *perturbed)


def steps_of(release: Release, audience: Audience) -> tuple[Step, ...]:
    """Each step in words. A release made by hand may lack facts, so the recipe leads."""
    keys = release.original.roles.quasi_identifiers
    facts = list(release.facts) + [None] * (len(release.recipe.steps) - len(release.facts))
    steps, gone = [], set[str]()
    for method, done in zip(release.recipe.steps, facts, strict=False):
        touched = method.touches(release.original)
        columns = tuple(name for name in touched if name not in gone)
        gone.update(columns if isinstance(method, Drop) else ())
        named = any(getattr(method, name, None) for name in ("columns", "column"))
        internal = audience == "internal"
        told = shown_parameters(method, audience)
        steps.append(
            Step(
                method=method.kind(),
                summary=type(method).summary(),
                columns=columns,
                on_keys=not named and touched == keys,
                perturbative=done.perturbative if done is not None else method.perturbative,
                parameters=plain(told) if internal or told else None,
                facts=plain(without_secrets(done.facts)) if internal and done is not None else None,
            )
        )
    return tuple(steps)


def _content(release: Release, audience: Audience) -> Content:
    undecided = undecided_columns(release)
    dropped = undecided if release.recipe.undeclared == "drop" else ()
    columns = tuple(name for name in release.table.columns if name not in dropped)
    parts = [name for part in release.part_tables.values() for name in part.columns]
    released, original = release.table.height, release.original.height
    removed = max(0, release.n_suppressed)
    total = Content(
        n_records=released,
        n_records_original=original,
        n_records_removed=removed,
        columns=columns,
        columns_removed=tuple(
            name for name in release.original.columns if name not in (*columns, *parts)
        ),
        columns_undecided=() if dropped else undecided,
        parts=tuple(
            Part(name, part.height, tuple(part.columns))
            for name, part in release.part_tables.items()
        ),
        codebook=codebook_of(release, columns, audience),
    )
    if audience == "internal":
        return total
    shown = _public_content(total, released, original)
    private = release.privacy_loss
    if private is None or not private.covered:
        return shown
    # Differential privacy covers how many records there were, too: no exact number of them is told.
    return replace(shown, n_records_original=None, n_records_removed=None)


def _public_content(total: Content, released: int, original: int) -> Content:
    """Small counts hidden, and the sums from which they could be derived."""
    counts = public_count(released), public_count(abs(original - released))
    told = counts == (released, abs(original - released))
    return replace(
        total,
        n_records=counts[0],
        n_records_original=original if told else None,
        n_records_removed=public_count(max(0, original - released)),
        parts=tuple(
            replace(part, n_records=public_count(int(part.n_records))) for part in total.parts
        ),
    )


def _utility(release: Release, audience: Audience) -> Utility | None:
    scores = release.utility
    if "cell_changes" not in scores:
        return None
    cells = scores["cell_changes"]
    kept = {str(name): float(share) for name, share in cells.parts["kept"].items()}
    if audience == "internal":
        found = meaningful_utility(release)
        parts = {name: part for name, part in cells.parts.items() if name != "kept"}
        return Utility(
            float(cells.value),
            kept,
            rounded=False,
            parts=parts,
            scores=found.scores,
            not_taken=found.left_out,
            note=found.note,
        )
    n_records = release.original.height
    rounded = {name: public_share(share, n_records) for name, share in kept.items()}
    told = {name: share for name, share in rounded.items() if share is not None}
    return Utility(public_share(float(cells.value), n_records), told, rounded=True)


def software() -> dict[str, str]:
    """The versions that made the release, and drew the figures."""
    packages = ("microveil", "polars", "numpy", "scipy", "numba", "pydantic", "altair")
    found = {"python": python_version()}
    for name in packages:
        with suppress(metadata.PackageNotFoundError):  # the figures' packages are an extra
            found[name] = metadata.version(name)
    return found
