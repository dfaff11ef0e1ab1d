"""The server: routes beside the pages (sign in, upload, download), and the pages themselves."""

from __future__ import annotations

import asyncio
import html
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import FastAPI, Form, Request
from fastapi.responses import (
    FileResponse,
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from fastapi.staticfiles import StaticFiles
from nicegui import ui
from starlette.middleware.gzip import GZipMiddleware

from microveil.errors import InputError
from microveil.texts import COMPLETE, text
from microveil.web.access import COOKIE, Address, Gate
from microveil.web.guard import Guard
from microveil.web.jobs import Workers
from microveil.web.logs import quiet
from microveil.web.policy import Stamp
from microveil.web.project.registries import RegistryPlace
from microveil.web.receiving import receive_file
from microveil.web.sessions import Sessions, WebSession

STATIC = Path(__file__).parent / "static"
PATHS = ("data", "roles", "risk", "protect", "compare", "release")
"""Pages on the path from a file to a release."""
BESIDE = ("linked", "tables", "outputs", "releases")
"""Pages beside the path."""
BETWEEN_SWEEPS = 60.0
"""Seconds between two checks for idle sessions."""


@dataclass
class Server:
    """One running app: who may come in, who is there, and what they may send."""

    address: Address = field(default_factory=Address)
    gate: Gate = field(default_factory=Gate)
    workers: Workers = field(default_factory=Workers)
    largest_upload: int = 2 * 1024**3
    """Size limit for uploads, in bytes."""
    databases: bool = False
    """Whether tables may be read from database servers; on this machine alone they always may."""
    registry: RegistryPlace | None = None
    """Where everybody's releases are noted; without one, people of this machine may name theirs."""
    sessions: Sessions = field(init=False)

    def __post_init__(self) -> None:
        self.sessions = Sessions(self.workers, registry=self.registry)

    def session_of(self, request: Request | None) -> WebSession | None:
        """Whose request it is."""
        return None if request is None else self.sessions.get(request.cookies.get(COOKIE))

    def invitation(self) -> str:
        """An address that lets one browser in, once."""
        return f"{self.address.url}/sign-in?token={self.gate.token()}"

    def close(self) -> None:
        """End the work under way and wipe every file."""
        self.sessions.close()
        self.workers.close()


def create_app(server: Server) -> Guard:
    """The whole app as an ASGI application; a process can have one, for NiceGUI knows only one."""
    from microveil.web import pages

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=_lifespan(server))
    app.add_middleware(Stamp)  # before packing: the one added last is the outermost
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    _sign_in(app, server)
    _files(app, server)
    pages.register(server)
    quiet(logging.getLogger("nicegui"))
    ui.run_with(
        app,
        title="Microveil",
        favicon=STATIC / "favicon.svg",
        tailwind=False,
        gzip_middleware_factory=None,
        binding_refresh_interval=None,
        reconnect_timeout=5.0,
        show_welcome_message=False,
    )
    return Guard(app, server.sessions, server.address)


def _lifespan(server: Server) -> Any:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        server.workers.warm()
        sweeper = asyncio.create_task(_sweep(server.sessions))
        yield
        sweeper.cancel()
        await asyncio.to_thread(server.close)

    return lifespan


async def _sweep(sessions: Sessions) -> None:
    while True:
        await asyncio.sleep(BETWEEN_SWEEPS)
        await asyncio.to_thread(sessions.free_idle)


def _sign_in(app: FastAPI, server: Server) -> None:
    secure = server.address.certificate is not None

    def welcome(request: Request) -> Response:
        session = server.sessions.new()  # always a new one: nobody can plant a session's secret
        session.language = language_of(request)
        answer = RedirectResponse("/data", status_code=303)
        answer.set_cookie(COOKIE, session.id, httponly=True, samesite="strict", secure=secure)
        return answer

    @app.get("/sign-in")
    @app.get("/sign-in/")
    def ask(request: Request, token: str = "") -> Response:
        if server.session_of(request) is not None and not token:
            return RedirectResponse("/data", status_code=303)
        if server.sessions.full:
            return _form(server, language_of(request), "sign_in.full", 503)
        if token and server.gate.admits_token(token):
            return _landing(welcome(request))
        if token:
            return _form(server, language_of(request), "sign_in.wrong", 401)
        return _form(server, language_of(request))

    @app.post("/sign-in")
    async def answer(request: Request, password: Annotated[str, Form()] = "") -> Response:
        if server.sessions.full:
            return _form(server, language_of(request), "sign_in.full", 503)
        if server.gate.admits_password(password, request.client.host if request.client else ""):
            return welcome(request)
        await asyncio.sleep(0.5)
        return _form(server, language_of(request), "sign_in.wrong", 401)

    _stay(app, server)


def _stay(app: FastAPI, server: Server) -> None:
    """What somebody who is signed in may do on every page: change the language, sign out."""

    @app.post("/language")
    def speak(
        request: Request, language: Annotated[str, Form()], page: Annotated[str, Form()] = "data"
    ) -> Response:
        session = server.session_of(request)
        if session is not None and language in COMPLETE:
            session.language = language
            session.mark_changed()
        return RedirectResponse(
            f"/{page}" if page in (*PATHS, *BESIDE) else "/data", status_code=303
        )

    @app.post("/sign-out")
    def leave(request: Request) -> Response:
        server.sessions.end(request.cookies.get(COOKIE, ""))
        answer = RedirectResponse("/sign-in", status_code=303)
        answer.delete_cookie(COOKIE)
        return answer


def _landing(response: Response) -> Response:
    """A page that forwards by itself: a strict cookie is not sent after a redirect from outside."""
    page = HTMLResponse('<!doctype html><meta http-equiv="refresh" content="0;url=/data">')
    # The address of this page holds the token: it must not be named to the next one.
    page.headers["referrer-policy"] = "no-referrer"
    for name, value in response.raw_headers:
        if name == b"set-cookie":
            page.raw_headers.append((name, value))
    return page


def _form(server: Server, language: str, why: str = "", status: int = 200) -> HTMLResponse:
    """The page for whoever is not signed in; ``why`` is the key of what went wrong."""
    page = (STATIC / "sign-in.html").read_text(encoding="utf-8")
    ask = server.gate.password is not None
    words = {
        "language": language,
        "title": text(language, "sign_in.title"),
        "lead": text(language, "sign_in.password" if ask else "sign_in.token"),
        "label": text(language, "sign_in.label"),
        "button": text(language, "sign_in.button"),
        "wrong": text(language, why) if why else "",
        "form": "" if ask else "hidden",
    }
    for name, word in words.items():
        page = page.replace("{{" + name + "}}", html.escape(word))
    return HTMLResponse(page, status_code=status)


def language_of(request: Request) -> str:
    """The first language of the browser that the app speaks."""
    for part in request.headers.get("accept-language", "").split(","):
        name = part.split(";")[0].strip().lower()[:2]
        if name in COMPLETE:
            return name
    return "en"


def _files(app: FastAPI, server: Server) -> None:
    @app.put("/upload")
    async def upload(request: Request) -> Response:
        session = server.session_of(request)
        if session is None or request.headers.get("x-microveil") != "upload":
            return PlainTextResponse("", status_code=403)
        name = unquote(request.headers.get("x-file-name", ""))
        try:
            what = request.headers.get("x-purpose", "data")
            await receive_file(session, name, what, request, server.largest_upload)
        except InputError as error:
            session.say("error", error.message)
            return PlainTextResponse(str(error), status_code=400)
        return PlainTextResponse("ok")

    @app.get("/download/{token}")
    def download(request: Request, token: str) -> Response:
        session = server.session_of(request)
        found = session.downloads.get(token) if session else None
        if found is None or not found[0].is_file():
            return PlainTextResponse("There is no such file any more.", status_code=404)
        path, name = found
        return FileResponse(path, filename=name, content_disposition_type="attachment")
