"""The report of linked tables: people over all of them, then each table by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from microveil.errors import RequirementNotMetError
from microveil.files import WriteReport
from microveil.files.reading_back import sha256
from microveil.release.verifying import WrittenFile
from microveil.reports.audience import checked_audience
from microveil.reports.requirements import verdict_of
from microveil.reports.summarizing import summarize, summarize_table
from microveil.reports.summary import Decision, Summary
from microveil.reports.writing import checked_target, write_summary
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.files.placing import Placing
    from microveil.linked.release import LinkedRelease

TITLE = Message("report.linked_release_report", "Report of a release of linked tables")


def write_linked_report(  # noqa: PLR0913  all but two are the caller's to leave open
    release: LinkedRelease,
    path: str | Path,
    *,
    audience: str = "internal",
    written: Sequence[WriteReport] = (),
    today: date | None = None,
    placing: Placing | None = None,
    source: str | None = None,
    made_by: str | None = None,
    language: str = "en",
) -> Path:
    """Write the report as ``.html``, ``.pdf`` or ``.json``, for internal readers or the public."""
    path = checked_target(path, language)
    summary = summarize_linked(
        release, audience, written=written, today=today, source=source, made_by=made_by
    )
    return write_summary(summary, release.people, path, placing=placing, language=language)


def summarize_linked(
    release: LinkedRelease,
    audience: str = "internal",
    *,
    written: Sequence[WriteReport] = (),
    today: date | None = None,
    source: str | None = None,
    made_by: str | None = None,
) -> Summary:
    """Everything that a report of linked tables tells its audience.

    There is no public report of what may not leave.
    """
    reader = checked_audience(audience)
    if reader == "public":
        release.require_all()
    files = {name: _file(one) for name, one in release.by_table(written).items()}
    bad = [one for one in files.values() if one.holds is False]
    if bad and reader == "public":
        raise RequirementNotMetError(
            "File {name}: {sentence} Write it again.", name=bad[0].name, sentence=bad[0].sentence
        )
    people = summarize(
        release.people, audience, title=TITLE, today=today, source=source, made_by=made_by
    )
    tables = tuple(
        summarize_table(
            name, one, reader, [*filter(None, [release.helpers.get(name)])], files.get(name)
        )
        for name, one in release.releases.items()
    )
    return replace(
        people,
        verdict=_verdict(release, bad),
        tables=tables,
        links=tuple(str(link) for link in release.recipe.links),
    )


def _verdict(release: LinkedRelease, bad: Sequence[WrittenFile]) -> Decision:
    """What all requirements say together, and what a column still undecided in one table does."""
    together = replace(release.people, checks=release.checks)
    found = verdict_of(together, bad[0] if bad else None)
    single = (verdict_of(one) for one in release.releases.values())
    broken = [one for one in single if one.tone == "bad"]
    return broken[0] if broken and found.tone != "bad" else found


def _file(written: WriteReport) -> WrittenFile:
    """A written table as its file is now; one in a database was read back when it was written."""
    path, back = (
        Path(written.path),
        Message("linked.read_back", "It was read back and has all rows."),
    )
    if written.sha256 is None:
        return WrittenFile(path.name, None, None, bool(written.read_back) or None, back)
    if not path.is_file():
        gone = Message("linked.file_gone", "It is no longer there to be read back.")
        return WrittenFile(path.name, None, None, None, gone)
    digest = sha256(path)
    if digest == written.sha256:
        return WrittenFile(path.name, path.stat().st_size, digest, True, back)
    changed = Message("linked.file_changed", "It was changed after it was written.")
    return WrittenFile(path.name, path.stat().st_size, digest, False, changed)
