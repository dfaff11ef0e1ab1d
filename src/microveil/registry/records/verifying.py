"""Verify a record against a file: is this what the record says, and did every rule hold."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from microveil.errors import FileError
from microveil.files.reading_back import sha256
from microveil.files.texts import read_text
from microveil.registry.records.signing import is_signed_rightly


@dataclass(frozen=True)
class RecordVerdict:
    """What became of the record's claims."""

    file: str
    problems: tuple[str, ...]
    signed: bool
    n_rules: int

    @property
    def holds(self) -> bool:
        """Whether the file is the recorded one and every rule held."""
        return not self.problems

    def sentence(self) -> str:
        """The result in words."""
        if not self.holds:
            return " ".join(self.problems)
        signed = "the signature fits" if self.signed else "the record is not signed"
        rules = "1 rule holds" if self.n_rules == 1 else f"{self.n_rules} rules hold"
        return f"{self.file} is the recorded file; {rules} in it, and {signed}."

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**self.__dict__, "problems": list(self.problems), "holds": self.holds,
                "sentence": self.sentence()}  # fmt: skip


def verify_record(
    record: str | Path, file: str | Path, public_key: str | Path | None = None
) -> RecordVerdict:
    """Compare a file with the record of the run that made it.

    With ``public_key`` the record must be signed with that key.
    """
    plain = _read(Path(record))
    path = Path(file).expanduser()
    if not path.exists():
        raise FileError("There is no file {path}.", path=path)
    problems = []
    if "verdict" in plain:  # of one output, as a researcher's session writes it
        plain = _as_record(plain)
    known = [one.get("sha256") for one in plain.get("written", ())]
    if sha256(path) not in known:
        problems.append(f"{path.name} is not the file of this record.")
    broken = sum(not check.get("holds") for check in plain.get("checks", ()))
    if broken or plain.get("exit_code") != 0:
        problems.append(f"The record says that {broken} rules did not hold, or the run failed.")
    signed = "signature" in plain
    if (signed or public_key is not None) and not is_signed_rightly(plain, public_key):
        problems.append("The signature does not fit: the record was changed, or by another key.")
    n_rules = len(plain.get("checks", ()))
    return RecordVerdict(path.name, tuple(problems), signed, n_rules)


def _as_record(output: dict[str, Any]) -> dict[str, Any]:
    """The record of one output in the layout of a run's: its limits are one rule."""
    holds = output["verdict"] != "fail"
    return {
        **output,
        "written": [{"sha256": output["sha256"]}],
        "checks": [{"model": "limits", "holds": holds}],
        "exit_code": 0 if holds else 3,
    }


def _read(path: Path) -> dict[str, Any]:
    try:
        plain = json.loads(read_text(path))
    except ValueError:
        plain = None
    if isinstance(plain, dict) and {"sha256", "verdict", "limits"} <= set(plain):
        return plain
    if not isinstance(plain, dict) or "format" not in plain or "recipe" not in plain:
        raise FileError("{path} is no record of a run (`microveil run --record`).", path=path)
    return plain
