"""The page's paragraph about the written file."""

from __future__ import annotations

from microveil.release.verifying import WrittenFile
from microveil.reports.markup import Markup, element, together
from microveil.reports.words.wording import number
from microveil.texts import Message


def file_lines(file: WrittenFile | None) -> Markup | None:
    """Name, size, checksum, and the result of reading it back."""
    if file is None:
        return None
    mark = {True: "✓ ", False: "✗ ", None: ""}[file.holds]
    kind = {True: "holds", False: "broken", None: "unread"}[file.holds]
    size = (
        ""
        if file.n_bytes is None
        else Message("report.bytes", ", {n} bytes", n=number(file.n_bytes))
    )
    checksum = None
    if file.sha256 is not None:
        checksum = element(
            "p", Message("report.sha_256", "SHA-256: "), element("code", file.sha256)
        )
    return together(
        element("h3", Message("report.written_file", "The written file")),
        element("p", element("strong", file.name), size),
        element("p", element("span", mark, class_=kind), file.sentence),
        checksum,
    )
