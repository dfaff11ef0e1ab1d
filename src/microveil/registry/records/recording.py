"""The record of something that left: every rule, its result, and the checksums it is bound to."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from microveil.files import write_text
from microveil.files.placing import Placing
from microveil.files.reading_back import sha256
from microveil.registry.records.provenance import provenance_of
from microveil.registry.records.signing import sign_record

FORMAT = 1
"""Version of this layout, which is that of the record of a run."""
KEY = "MICROVEIL_SIGNING_KEY"
"""Environment variable that names the file of the key that signs."""


def make_record(
    kind: str,
    recipe: str,
    checks: Sequence[Mapping[str, Any]],
    written: Mapping[str, Path],
    *,
    input_sha256: str | None = None,
    made_by: str | None = None,
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The record of files by the names they have outside; signed if there is a key.

    ``checks`` are the rules with their results, ``recipe`` is the text that says what was done.
    """
    holds = all(bool(check.get("holds")) for check in checks)
    plain: dict[str, Any] = {
        "format": FORMAT,
        "kind": kind,
        "microveil": metadata.version("microveil"),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "input": {"sha256": input_sha256},
        "recipe": {"sha256": hashlib.sha256(recipe.encode()).hexdigest()},
        "checks": [dict(check) for check in checks],
        "written": [
            {"path": name, "sha256": sha256(path), "n_rows": None} for name, path in written.items()
        ],
        "exit_code": 0 if holds else 3,
        **(more or {}),
    }
    plain["prov"] = provenance_of(plain, made_by)
    key = os.environ.get(KEY)
    return sign_record(plain, key) if key else plain


def write_record(
    record: Mapping[str, Any], path: str | Path, placing: Placing | None = None
) -> None:
    """Write a record as JSON."""
    write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", path, placing)
