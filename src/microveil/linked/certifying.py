"""The certificate of linked tables: what was verified about which files, together."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microveil import __version__
from microveil.files import WriteReport
from microveil.release.release import Release
from microveil.texts import phrase

if TYPE_CHECKING:
    from microveil.linked.release import LinkedRelease


def certificate_of_tables(release: LinkedRelease, written: Sequence[WriteReport]) -> dict[str, Any]:
    """What was verified about files that left together, and the checksum of each.

    Attackers are those of people, over all tables. Warnings of a table are said to be its own.
    """
    people = release.people
    tables = [(name, one) for name, one in release.releases.items() if one.recipe.require]
    own = [
        phrase("Table '{name}': {told}", name=n, told=t)
        for n, one in tables
        for t in _warnings_of(one)
    ]
    return {
        "certificate": "microveil release of linked tables",
        "version": __version__,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "files": [
            {
                "table": name,
                "name": Path(str(one.path)).name,
                "n_rows": one.n_rows,
                "n_columns": one.n_columns,
                "sha256": one.sha256,
                "read_back": one.read_back,
            }
            for name, one in release.by_table(written).items()
        ],
        "links": [str(link) for link in release.recipe.links],
        "n_people": release.view.height,
        "requirements": [
            {"sentence": check.sentence(), "holds": check.holds} for check in release.checks
        ],
        "attackers": people.attackers.to_dict(),
        "cautions": [one.to_dict() for one in (*people.cautions, *people.attacks)],
        "warnings": [*_warnings_of(people), *own],
    }


def _warnings_of(release: Release) -> list[str]:
    return [*map(str, release.cautions), *map(str, release.attacks), *release.warnings]
