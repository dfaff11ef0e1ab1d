"""What a click does with the registry of releases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from microveil.errors import InputError
from microveil.texts import Message
from microveil.web.actions import project_of
from microveil.web.project import registries
from microveil.web.project.registries import RegistryPlace, RegistryView
from microveil.web.sessions import WebSession


def open_registry(session: WebSession, place: RegistryPlace, *, create: bool = False) -> None:
    """Open a registry, and note releases there from now on."""

    def then(view: RegistryView) -> None:
        if session.registry != place and session.project is not None:
            session.project.note_in(place)
        session.registry, session.registry_view, session.relook = place, view, look_again

    session.start("job.registry", registries.look, then, place=place, create=create)


def look_again(session: WebSession) -> None:
    """Look at the registry that is open."""
    open_registry(session, place_of(session))


def close_registry(session: WebSession) -> None:
    """Note nothing any more."""
    session.registry = session.registry_view = session.relook = None
    if session.project is not None:
        session.project.note_in(None)


def place_of(session: WebSession) -> RegistryPlace:
    """The registry; raises an error if none is open."""
    if session.registry is None:
        raise InputError(Message("app.open_registry_first", "Open a registry first."))
    return session.registry


def set_terms(session: WebSession, **changes: Any) -> None:
    """Note releases under another name, for others, or with people told apart otherwise."""
    project = project_of(session)
    if project.registry is not None:
        project.registry = replace(project.registry, **changes)


def recognise(session: WebSession, file: Path, name: str) -> None:
    """Ask whether a file is what was released; it is wiped afterwards."""

    def then(found: tuple[bool, str]) -> None:
        file.unlink(missing_ok=True)
        holds, sentence = found
        session.say("success" if holds else "error", sentence)

    session.start(
        "job.recognise",
        registries.recognise_file,
        then,
        place=place_of(session),
        file=file,
        name=name,
    )
