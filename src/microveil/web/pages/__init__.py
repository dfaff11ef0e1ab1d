"""The pages, one per file, on the path from a file to a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import Request
from nicegui import ui
from starlette.responses import RedirectResponse, Response

from microveil.web.pages import (
    compare,
    data,
    linked,
    outputs,
    protect,
    release,
    releases,
    risk,
    roles,
    tables,
)
from microveil.web.parts.page import Content, Page
from microveil.web.parts.trail import WITHOUT_DATA

if TYPE_CHECKING:
    from microveil.web.server import Server

PAGES: dict[str, Content] = {
    "data": data.content,
    "roles": roles.content,
    "risk": risk.content,
    "protect": protect.content,
    "compare": compare.content,
    "release": release.content,
    "linked": linked.content,
    "tables": tables.content,
    "outputs": outputs.content,
    "releases": releases.content,
}


def register(server: Server) -> None:
    """Give each page its address; all but the first need data."""

    def home() -> Response:
        return RedirectResponse("/data")

    ui.page("/")(home)
    for name, content in PAGES.items():
        ui.page(f"/{name}")(_page(server, name, content))


def _page(server: Server, name: str, content: Content):  # type: ignore[no-untyped-def]  # noqa: ANN202
    def show(request: Request) -> Response | None:
        session = server.session_of(request)
        if session is None:
            return RedirectResponse("/sign-in", status_code=303)
        if session.project is None and name not in WITHOUT_DATA:
            return RedirectResponse("/data", status_code=303)
        Page(server, session, name, content).build()
        return None

    return show
