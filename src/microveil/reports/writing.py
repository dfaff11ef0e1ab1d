"""Write a report: one HTML page, or the same content as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microveil.errors import FileError
from microveil.files import write_text
from microveil.files.placing import Placing
from microveil.files.texts import write_bytes
from microveil.release import Release
from microveil.reports.contents.pdf import pdf_of
from microveil.reports.figures import NO_FIGURES, can_draw, figures_of
from microveil.reports.page import page
from microveil.reports.summarizing import TITLE, summarize
from microveil.reports.summary import Summary
from microveil.reports.words.speaking import checked_language, speaking

if TYPE_CHECKING:
    from microveil.files import WriteReport


def write_report(  # noqa: PLR0913  all but two are the caller's to leave open
    release: Release,
    path: str | Path,
    *,
    audience: str = "internal",
    title: str = TITLE,
    written: WriteReport | Mapping[str, Any] | None = None,
    today: date | None = None,
    placing: Placing | None = None,
    source: str | None = None,
    made_by: str | None = None,
    language: str = "en",
) -> Path:
    """Write the report of a release: an ``.html`` page, the same as ``.pdf``, or ``.json`` data.

    The internal report holds risk values and rare combinations, and exists for a broken release
    too; the public one holds neither and is refused for a release that must not be published.
    Without the plots extra the page says that its figures are left out. ``source`` names the
    original (for internal readers), ``made_by`` who is responsible for the release. ``language``
    is that of the page: ``en`` or ``es``.
    """
    path = checked_target(path, language)
    summary = summarize(
        release,
        audience,
        title=title,
        written=written,
        today=today,
        source=source,
        made_by=made_by,
    )
    return write_summary(summary, release, path, placing=placing, language=language)


def checked_target(path: str | Path, language: str) -> Path:
    """The path of a report, of a kind and in a language that there is."""
    path = Path(path)
    if path.suffix.lower() not in (".html", ".htm", ".pdf", ".json"):
        raise FileError("{path}: a report is .html, .pdf or .json. Change the suffix.", path=path)
    checked_language(language)
    return path


def write_summary(
    summary: Summary, release: Release, path: Path, *, placing: Placing | None, language: str
) -> Path:
    """Write what a report says; the figures are drawn of the release."""
    kind = path.suffix.lower()
    if kind == ".json":
        text = json.dumps(summary.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    else:
        with speaking(language):
            drawn = figures_of(release, summary) if can_draw() else ()
        remark = None if can_draw() else NO_FIGURES
        text = page(summary, drawn, remark, language)
    if kind == ".pdf":
        write_bytes(pdf_of(text, summary.title), path, placing)
    else:
        write_text(text, path, placing)
    return path
