"""Finished trials on disk, so that a search can be resumed.

A file is named after everything that determines its content: goal, roles, plan, sample, the shape
of the data and 16 bits of their fingerprint, and the version. It holds numbers; no cell, no seed
and nothing from which a seed could be derived.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from microveil import __version__
from microveil.app.advising.candidates import Candidate, Verdict
from microveil.app.advising.families import Plan
from microveil.app.advising.situation import Situation
from microveil.app.exploration.points import digest
from microveil.app.exploration.saving import fingerprint
from microveil.files.texts import make_folder, write_text

FORMAT = 2
NUMBERS = ("holds", "risk", "loss", "changed", "true", "whole", "n_records")


@dataclass(frozen=True)
class Trials:
    """A folder of finished trials; without one, nothing is kept."""

    place: Path | None = None
    subject: str = ""

    @classmethod
    def open(cls, place: str | Path | None, here: Situation, check: int) -> Trials:
        """Open the folder, creating it if necessary; ``check`` tells seeds apart, in 16 bits."""
        if place is None:
            return cls()
        path = make_folder(place)
        shape = {name: str(dtype) for name, dtype in here.frame.schema.items()}
        facts = [FORMAT, __version__, here.to_dict(), shape, fingerprint(here.table), check % 2**16]
        return cls(path, digest(facts))

    def load(self, plan: Plan, rung: int, named: Callable[[Plan], Candidate]) -> Candidate | None:
        """The candidate of a plan, if it was finished and can be read."""
        if self.place is None:
            return None
        with suppress(OSError, ValueError, KeyError, TypeError):
            plain = json.loads(self._path(plan, rung).read_text(encoding="utf-8"))
            return _candidate(plain, named(plan))
        return None

    def save(self, plan: Plan, rung: int, found: Candidate) -> None:
        """Save a finished trial: the whole file or none."""
        if self.place is None or str(found.problem).startswith("Unexpected "):
            return
        text = json.dumps(_plain(found), indent=1, ensure_ascii=False, allow_nan=False)
        write_text(text + "\n", self._path(plan, rung))

    def _path(self, plan: Plan, rung: int) -> Path:
        name = digest([self.subject, list(plan), rung])[:20]
        return (self.place or Path()) / f"{name}.json"


def _plain(found: Candidate) -> dict[str, Any]:
    numbers = {name: getattr(found, name) for name in NUMBERS}
    told = {"problem": str(found.problem), "forbidden": str(found.forbidden)}
    verdicts = [one.to_dict() | {"place": one.place} for one in found.verdicts]
    parts: dict[str, Any] = {"columns": dict(found.columns), "analyses": dict(found.analyses)}
    parts["emptied"] = list(found.emptied)
    return {"format": FORMAT, "verdicts": verdicts} | numbers | told | parts


def _candidate(plain: dict[str, Any], named: Candidate) -> Candidate | None:
    if plain["format"] != FORMAT:
        return None
    verdicts = tuple(
        Verdict(
            one["title"],
            one["required"],
            float("inf") if one["achieved"] is None else one["achieved"],
            one["holds"],
            one["place"],
        )
        for one in plain["verdicts"]
    )
    fields = {name: plain[name] for name in (*NUMBERS, "problem", "forbidden", "columns")}
    fields |= {"analyses": plain["analyses"], "emptied": tuple(plain["emptied"])}
    return replace(named, verdicts=verdicts, **fields)
