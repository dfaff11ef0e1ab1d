"""The path from a file to a release, and how far the person is on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microveil.app.effects import Effect
from microveil.web.parts.elements import Node, link

if TYPE_CHECKING:
    from microveil.web.parts.page import Page

STOPS = ("data", "roles", "risk", "protect", "compare", "release")
BESIDE = ("linked", "tables", "outputs", "releases")
"""Pages beside the path."""
WITHOUT_DATA = ("data", "linked", "outputs", "releases")
"""Pages that need no open file."""


def trail(page: Page) -> None:
    """Links to the pages, the path first; what needs data is inactive until a file is open."""
    open_ = page.session.project is not None
    with Node("nav", None, "trail", aria_label=page.text("trail")), Node("ol"):
        for number, name in enumerate(STOPS, 1):
            here = name == page.name
            with Node("li", None, "stop here" if here else "stop"):
                told = f"{number}. {page.text(f'page.{name}')}"
                if open_ or name == "data":
                    link(told, f"/{name}", "stop-name", aria_current="page" if here else None)
                else:
                    Node("span", told, "stop-name waiting", aria_disabled="true")
                if open_:
                    Node("span", _state(page, name), "stop-state")
        for name in BESIDE:
            _beside(page, name)


def _beside(page: Page, name: str) -> None:
    here = name == page.name
    with Node("li", None, "stop beside here" if here else "stop beside"):
        told = page.text(f"page.{name}")
        if page.session.project is not None or name in WITHOUT_DATA:
            link(told, f"/{name}", "stop-name", aria_current="page" if here else None)
        else:
            Node("span", told, "stop-name waiting", aria_disabled="true")


def _state(page: Page, name: str) -> str:
    """Where a stop stands, in a few characters."""
    project = page.project
    match name:
        case "data":
            return page.text("state.records", n=project.frame.height)
        case "roles":
            return page.text("state.keys", n=len(project.plan.roles.quasi_identifiers))
        case "risk":
            return _k(project.effects.get(project.keys()[0]))
        case "protect":
            return page.text("state.steps", n=len(project.recipe.steps))
        case "compare":
            return _k(project.effect())
        case _:
            return page.text(f"state.{_verdict(page)}")


def _k(effect: Effect | None) -> str:
    """The k of a state; a dash if it has no keys, nothing as long as it is not known."""
    return "" if effect is None else "–" if effect.k is None else f"k = {effect.k}"


def _verdict(page: Page) -> str:
    """How far the release is."""
    made = page.project.made.get(page.project.verdict_key())
    if made is None:
        return "unchecked"
    if not made.holds:
        return "broken"
    return "released" if made.files else "holds"
