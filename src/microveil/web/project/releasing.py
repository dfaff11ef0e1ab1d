"""Releasing: the files of a release, made only when every requirement holds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from microveil import __version__
from microveil.errors import InputError, RequirementNotMetError
from microveil.files import Labels, WriteReport
from microveil.metadata import describe_release
from microveil.progress import Progress
from microveil.registry.records.recording import make_record, write_record
from microveil.release import Release
from microveil.release.cautions import Caution
from microveil.reports.contents.certificate import TITLE, certificate_page
from microveil.reports.contents.pdf import pdf_of
from microveil.web.project.packing import pack_folder
from microveil.web.project.registries import Together, noted_as, together
from microveil.web.project.script import script_of


@dataclass(frozen=True)
class CheckView:
    """One requirement: whether it holds, and the sentence about it."""

    model: str
    holds: bool
    sentence: str
    required: float


@dataclass(frozen=True)
class Made:
    """The outcome of making a release."""

    checks: tuple[CheckView, ...]
    undecided: tuple[str, ...]
    """Columns that nobody decided about."""
    warnings: tuple[str, ...]
    cautions: tuple[Caution, ...]
    """What the requirements leave open, some with a step or a requirement that sees to it."""
    files: Mapping[str, str]
    """Names of the files that were made, by what they are; none while the release is refused."""
    n_records: int
    refused: str = ""
    """Why nothing was made."""
    together: tuple[Together, ...] = ()
    """What the release tells together with earlier ones, where there is a registry."""
    noted: str = ""
    """Under which id the registry has it."""

    @property
    def holds(self) -> bool:
        """Whether every requirement is met, and every column decided about."""
        return all(check.holds for check in self.checks) and not self.undecided


def make_files(release: Release, wanted: Mapping[str, Any], progress: Progress) -> Made:
    """Check, and write what is wanted into its folder: data, reports, certificate, recipe.

    ``wanted``: ``folder``, ``name`` of the data file with its suffix (none: only check), ``labels``
    and ``source``, the name of the file the data came from.
    """
    checks = tuple(
        CheckView(one.model, one.holds, one.sentence(), float(one.required))
        for one in release.checks
    )
    found = (*release.cautions, *(release.attacks if release.holds else ()))
    made = Made(checks, release.held_back, (), found, {}, release.table.height)
    made = replace(made, together=together(release))
    labels = wanted.get("labels")
    release = replace(release, labels=labels) if isinstance(labels, Labels) else release
    name = wanted.get("name")
    if name is None or not made.holds:
        return made
    folder = Path(wanted["folder"])
    progress(1, 4, "write")
    try:
        written = release.write(folder / name)
    except (RequirementNotMetError, InputError) as error:
        return replace(made, refused=error.message)
    progress(2, 4, "report")
    files = {
        "data": name,
        **_papers(release, folder, written, wanted),
    }
    return replace(made, warnings=release.warnings, files=files, noted=noted_as(release))


def _papers(
    release: Release, folder: Path, written: WriteReport, wanted: Mapping[str, Any]
) -> dict[str, str]:
    """Reports in the person's language, certificate, recipe and script, beside the data."""
    source, language = str(wanted.get("source", "data.csv")), str(wanted.get("language", "en"))
    internal, public = folder / "report-internal.html", folder / "report-public.html"
    release.report(internal, audience="internal", written=written, language=language)
    release.report(public, audience="public", written=written, language=language)
    release.report(folder / "report-public.pdf", audience="public", language=language)
    certificate = certificate_of(release, written)
    text = json.dumps(certificate, indent=2, ensure_ascii=False)
    (folder / "certificate.json").write_text(text + "\n", encoding="utf-8")
    printed = pdf_of(certificate_page(certificate, language), TITLE)
    (folder / "certificate.pdf").write_bytes(printed)
    release.recipe.write(folder / "recipe.yaml")
    target = Path(written.path).name
    (folder / "release.py").write_text(script_of(release.recipe, source, target), encoding="utf-8")
    record_release(release, folder / "record.json", [Path(written.path)])
    describe_release(release, written=written).write(folder / "metadata")
    pack_folder(folder / "metadata", folder / "metadata.zip")
    return {
        "report_internal": "report-internal.html",
        "report_public": "report-public.html",
        "report_pdf": "report-public.pdf",
        "certificate": "certificate.json",
        "certificate_pdf": "certificate.pdf",
        "recipe": "recipe.yaml",
        "script": "release.py",
        "record": "record.json",
        "metadata": "metadata.zip",
    }


def record_release(release: Release, place: Path, written: Sequence[Path]) -> None:
    """Write the record of a release: every rule and its result, bound to the files."""
    noted = noted_as(release)
    record = make_record(
        "microdata",
        release.recipe.identity,
        [check.to_dict() for check in release.checks],
        {path.name: path for path in written},
        more={
            "steps": [{"method": one.method} for one in release.facts],
            **({"registered": noted} if noted else {}),
        },
    )
    write_record(record, place)


def certificate_of(release: Release, written: WriteReport) -> dict[str, Any]:
    """What was verified about a file, and the checksum that tells this file from any other."""
    return {
        "certificate": "microveil release",
        "version": __version__,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "file": {
            "name": Path(written.path).name,
            "n_rows": written.n_rows,
            "n_columns": written.n_columns,
            "sha256": written.sha256,
            "read_back": written.read_back,
        },
        "requirements": [
            {"sentence": check.sentence(), "holds": check.holds} for check in release.checks
        ],
        "attackers": release.attackers.to_dict(),
        "cautions": [one.to_dict() for one in (*release.cautions, *release.attacks)],
        "warnings": [*map(str, release.cautions), *map(str, release.attacks), *release.warnings],
    }
