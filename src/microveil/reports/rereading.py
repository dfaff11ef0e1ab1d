"""The written file, read again: whether what left keeps the promises that the table kept."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microveil.errors import MicroveilError
from microveil.files import format_of, read
from microveil.release import Release
from microveil.release.verifying import verify
from microveil.reports.summary import WrittenFile
from microveil.tables import Table

if TYPE_CHECKING:
    from microveil.files import WriteReport
    from microveil.privacy import Check

CHUNK = 1 << 20


def reread(release: Release, written: WriteReport | Mapping[str, Any] | None) -> WrittenFile | None:
    """The file that writing reported, read and checked anew; none where no file is known.

    Its checksum lets a reader see that the file at hand is the one the report speaks of.
    """
    facts = {} if written is None else _facts(written)
    name = facts.get("path")
    if name is None:
        return None
    if format_of(name).database:
        return WrittenFile("a database", None, None, None, "It was not read again.")
    path = Path(name).expanduser()
    if not path.is_file():
        return WrittenFile(path.name, None, None, None, "It is no longer there to be read again.")
    size, digest = path.stat().st_size, _sha256(path)
    try:
        checks = _checks(release, path)
    except MicroveilError as error:
        return WrittenFile(path.name, size, digest, False, f"It cannot be read again: {error}")
    return WrittenFile(path.name, size, digest, *_verdict(release, checks))


def _facts(written: WriteReport | Mapping[str, Any]) -> Mapping[str, Any]:
    return written if isinstance(written, Mapping) else written.to_dict()


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _checks(release: Release, path: Path) -> tuple[int, tuple[Check, ...]]:
    """Number of rows, and every requirement checked on what stands in the file."""
    roles, recipe = release.table.roles, release.recipe
    keys = {key for key_set in roles.key_sets().values() for key in key_set}
    read_by_models = {name for model in recipe.require for name in model.reads(roles)}
    wanted = keys | read_by_models | {roles.entity, roles.weight}
    columns = [name for name in release.table.columns if name in wanted]
    columns = columns or release.table.columns[:1]
    # Keys as text, so that a reader's guess at types cannot make two of them equal.
    texts = {name: "text" for name in columns if name in keys - read_by_models}
    kind = format_of(path).name
    again = read(path, format=kind, columns=columns, types=texts if kind == "csv" else {})
    table = Table(again, roles.without(set(roles.named) - set(columns)))
    return again.height, verify(recipe, table) if recipe.require else ()


def _verdict(release: Release, found: tuple[int, tuple[Check, ...]]) -> tuple[bool, str]:
    n_rows, checks = found
    if n_rows != release.table.height:
        return False, "It was read again, and its number of rows is not that of the release."
    broken = [check.title for check in checks if not check.holds]
    if broken:
        return False, f"It was read again, and breaks what was promised: {', '.join(broken)}."
    if not checks:
        return True, "It was read again and has all rows; nothing was required of it."
    kept = "the requirement holds" if len(checks) == 1 else "all requirements hold"
    return True, f"It was read again: it has all rows, and {kept} in it."
