"""Registries: where releases are noted, what was released before, and what they tell together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from secrets import token_hex
from typing import Any

from microveil.errors import InputError
from microveil.progress import Progress
from microveil.registry import Registry, RegistryTerms, ReleaseEntry
from microveil.registry.composing import Composition
from microveil.registry.leaving import compare_with_earlier
from microveil.registry.recognising import recognise
from microveil.release import Release
from microveil.texts import Message

ON_SERVERS = ("postgresql://", "postgres://")


@dataclass(frozen=True)
class RegistryPlace:
    """Where a registry is, and the file of its key."""

    place: str = field(default="", repr=False)
    """A file or a URL, which may hold a password."""
    key_file: str = ""

    def open(self, *, create: bool = False) -> Registry:
        """The registry; ``create`` makes one, and a key file if there is none."""
        if not self.place.strip():
            raise InputError(Message("app.registry_unnamed", "Name the file of a registry."))
        key = Path(self.key_file).expanduser() if self.key_file.strip() else None
        if create and key is not None and not key.exists():
            key.touch(mode=0o600)
            key.write_text(token_hex(32) + "\n", encoding="ascii")
        return Registry(self.place.strip(), key_file=key, create=create)


@dataclass(frozen=True)
class RegistryUse:
    """A registry, and how a release is noted in it."""

    place: RegistryPlace
    source: str = ""
    person: str = ""
    """Column that tells people apart; without one the entity does, or whole rows."""
    audience: str = ""

    def terms(self) -> RegistryTerms:
        """The same for the library."""
        return RegistryTerms(
            self.place.open(),
            source=self.source,
            person=self.person or None,
            audience=self.audience or None,
        )


@dataclass(frozen=True)
class RegistryView:
    """What a registry holds, as a page shows it."""

    shown: str
    """Its place, without user and password."""
    entries: tuple[ReleaseEntry, ...]
    intact: bool
    audit: str
    """Whether every entry is as it was written, in words."""


@dataclass(frozen=True)
class Together:
    """What a release tells together with earlier ones, to who knows some keys."""

    scenario: str | None
    holds: bool
    sentence: str
    k: int
    pairs: tuple[tuple[str, int, int | None, int], ...] = ()
    """Earlier release, people in both, fewest alike, people with fewer than k alike."""
    differences: tuple[tuple[str, str, int, int], ...] = ()
    """Publication, variables, cells compared, cells that differ by fewer than k."""
    privacy_loss: Mapping[str, float] = field(default_factory=dict)


def check_place(place: RegistryPlace, *, local: bool) -> None:
    """Refuse what this app may not open: only people of its machine name files of it."""
    if not local:
        raise InputError(
            Message(
                "app.registry_by_operator",
                "Whoever runs this app names its registry: microveil app --registry FILE.",
            )
        )
    if not place.place.startswith(ON_SERVERS) and "\n" in place.place:
        raise InputError(Message("app.registry_unnamed", "Name the file of a registry."))


def look(place: RegistryPlace, create: bool, progress: Progress) -> RegistryView:  # noqa: FBT001  a task's argument
    """Open a registry, and look at what it holds."""
    progress(0, 1, "read")
    registry = place.open(create=create)
    audit = registry.audit()
    return RegistryView(registry.database.shown, registry.releases(), audit.holds, audit.sentence())


def recognise_file(
    place: RegistryPlace, file: Path, name: str, progress: Progress
) -> tuple[bool, str]:
    """Whether a file is a release of the registry, and the sentence about it."""
    progress(0, 1, "read")
    found = replace(recognise(place.open(), file), file=name)
    return found.holds, found.sentence()


def compare_release(release: Release, use: RegistryUse | None) -> Release:
    """The release beside those before it, where there is a registry; noted when it is written."""
    return release if use is None else compare_with_earlier(release, use.terms())


def together(release: Release) -> tuple[Together, ...]:
    """What a compared release tells together with earlier ones, by scenario."""
    found: Mapping[str | None, Composition] = getattr(release.registration, "compositions", {})
    return tuple(_view(scenario, one) for scenario, one in found.items())


def _view(scenario: str | None, one: Composition) -> Together:
    return Together(
        scenario,
        one.holds,
        one.sentence(),
        one.k,
        tuple((pair.name, pair.n_people, pair.smallest, pair.n_below) for pair in one.pairs),
        tuple(
            (name, ", ".join(cells.by), cells.n_compared, cells.n_small)
            for name, some in one.differences.items()
            for cells in some
        ),
        dict(one.privacy_loss),
    )


def noted_as(release: Release) -> str:
    """The id under which a release was noted; empty if it was not."""
    entry: Any = getattr(release.registration, "entry", None)
    return "" if entry is None else str(entry.id)
