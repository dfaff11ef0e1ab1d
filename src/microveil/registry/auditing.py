"""The audit of a registry: is every entry as it was written, and where it was."""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from microveil.registry.chain import START, Entry, sign

MOST = 20
"""Problems beyond this number are counted, not listed."""


@dataclass(frozen=True)
class RegistryAudit:
    """The findings of an audit."""

    n_entries: int
    n_releases: int
    n_unfinished: int
    """Releases that were begun and neither finished nor withdrawn: a run was stopped."""
    seal: str
    """Seal of the last entry: note it elsewhere, and a registry that was cut is found."""
    problems: tuple[str, ...]
    signed: bool
    """Whether signatures were looked at: only who has the key can do that."""

    @property
    def holds(self) -> bool:
        """Whether no problem was found."""
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**self.__dict__, "problems": list(self.problems), "holds": self.holds}

    def sentence(self) -> str:
        """The result in words."""
        what = f"{self.n_entries:,} entries, {self.n_releases:,} of them releases"
        if not self.holds:
            return f"The registry is NOT intact ({what}): " + " ".join(self.problems)
        told = f"The registry is intact: {what}. Last seal: {self.seal}"
        if self.n_unfinished:
            told += f" {self.n_unfinished:,} releases were begun and never written."
        return told


def audit_entries(
    entries: Sequence[Entry], stored: Mapping[str, str], key: bytes | None
) -> RegistryAudit:
    """Follow the chain; ``stored`` has the checksum found for each stored signature."""
    problems, before, number = [], START, 0
    for one in entries:
        number += 1
        if one.seq != number or one.previous != before or not one.sealed:
            problems.append(f"Entry {one.seq} does not follow from those before it.")
        elif key is not None and not _is_signed(one, key):
            problems.append(f"Entry {one.seq} is not signed with this key.")
        before, number = one.hash, one.seq
    begun = [one.facts for one in entries if one.kind == "begun"]
    for facts in begun:
        name = facts.get("signatures")
        if name is not None and stored.get(name) != name:
            problems.append(f"The signatures of release {facts['id']} are damaged or missing.")
    done = {one.facts["id"] for one in entries if one.kind == "finished"}
    gone = {one.facts["id"] for one in entries if one.kind == "withdrawn"}
    known = {facts["id"] for facts in begun}
    return RegistryAudit(
        len(entries),
        len(known & done - gone),
        len(known - done - gone),
        before,
        _shorten(problems),
        signed=key is not None,
    )


def _is_signed(entry: Entry, key: bytes) -> bool:
    return entry.signature is not None and hmac.compare_digest(
        sign(key, entry.hash), entry.signature
    )


def _shorten(problems: list[str]) -> tuple[str, ...]:
    more = len(problems) - MOST
    return (*problems[:MOST], *([f"And {more:,} more."] if more > 0 else []))
