"""The certificate of a release as a page: what was verified about which file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microveil.reports.markup import Markup, element, together
from microveil.reports.page_parts import table
from microveil.reports.words.speaking import speaking
from microveil.reports.words.wording import percent
from microveil.texts import Message

TITLE = Message("certificate.title", "Certificate of a release")


def certificate_page(plain: Mapping[str, Any], language: str = "en") -> str:
    """A certificate's plain data as HTML: the file, the requirements, attackers and warnings."""
    with speaking(language):
        return element("body", element("h1", TITLE), *_files(plain), *_checks(plain), *_rest(plain))


def _files(plain: Mapping[str, Any]) -> list[Markup]:
    """When it was made, and every file: one, or those of linked tables."""
    files = plain["files"] if "files" in plain else [plain["file"]]
    made = Message("certificate.made", "Made")
    when = element("p", made, ": ", f"{plain['made']}, Microveil {plain['version']}")
    return [when, *map(_file, files)]


def _file(file: Mapping[str, Any]) -> Markup:
    said = {
        Message("certificate.file", "File"): file["name"],
        Message("certificate.size", "Rows and columns"): f"{file['n_rows']}, {file['n_columns']}",
        "SHA-256": str(file["sha256"]),
    }
    return together(*(element("p", name, ": ", value) for name, value in said.items()))


def _checks(plain: Mapping[str, Any]) -> list[Markup]:
    heading = element("h2", Message("certificate.requirements", "Requirements"))
    return [heading, *(element("li", one["sentence"]) for one in plain["requirements"])]


def _rest(plain: Mapping[str, Any]) -> list[Markup]:
    parts: list[Markup] = []
    if attackers := plain["attackers"]:
        heads = [
            Message("certificate.attacker", "Attacker"),
            Message("certificate.highest", "Chance at worst"),
            Message("certificate.average", "On average"),
        ]
        rows = [
            [name, _chance(said.get("highest")), _chance(said["average"])]
            for name, said in attackers.items()
        ]
        parts += [
            element("h2", Message("certificate.attackers", "Chance of finding the right person")),
            table(heads, rows),
        ]
    parts.append(element("h2", Message("certificate.warnings", "Warnings")))
    warnings = [element("li", one) for one in plain["warnings"]]
    none = element("p", Message("certificate.no_warnings", "There is nothing to be warned of."))
    return [*parts, *(warnings or [none])]


def _chance(share: float | None) -> str:
    return "—" if share is None else percent(share)
