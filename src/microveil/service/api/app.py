"""The FastAPI app: endpoints, limits, logs and metrics."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

from anyio import to_thread
from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import PlainTextResponse

import microveil
from microveil.errors import MicroveilError
from microveil.service.api import analysts, errors, owners
from microveil.service.api.access import OwnerKey, Shared, State, Visit, admit
from microveil.service.api.limits import App, BodyLimit, Message, Receive, Scope, Send
from microveil.service.api.logs import log
from microveil.service.desk import Desk, Limits
from microveil.service.keys import now
from microveil.service.ledger.ledger import Ledger
from microveil.service.registry import Registry
from microveil.service.settings import Settings

DESCRIPTION = (
    "Queries on private tables, answered with differential privacy: the price of each is known "
    "before it is asked, and budgets can be neither overspent nor lost."
)
watch = APIRouter(tags=["operation"])


@watch.get("/healthz", responses={503: errors.RESPONSES[503]})
def health(state: Shared) -> dict[str, str]:
    """Check that the service and its ledger work."""
    with state.registry.ledger.view() as view:
        view.head()
    return {"status": "ok"}


@watch.get("/metrics", response_class=PlainTextResponse, responses=errors.IN_JSON)
def metrics(key: OwnerKey, state: Shared) -> str:
    """Return counts for Prometheus; needs an owner's key."""
    del key
    writer = state.registry.ledger.writer
    return state.metrics.text(writer.n_steps, writer.n_commits)


def create_app(ledger: Ledger, secret: bytes, settings: Settings | None = None) -> FastAPI:
    """The service over a ledger; it closes the ledger when it stops."""
    settings = settings or Settings()
    limits = Limits(settings.seconds, settings.rows, settings.workers)
    state = State(Registry(ledger), Desk(ledger, limits), secret, settings)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await to_thread.run_sync(_warm_up, state)
        yield
        await state.finish(settings.stop_seconds)
        await to_thread.run_sync(state.desk.close)
        ledger.close()

    # The interactive documentation pages would fetch scripts from elsewhere, so they are off.
    app = FastAPI(
        title="Microveil",
        description=DESCRIPTION,
        version=microveil.__version__,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.microveil = state
    errors.install(app)
    for router in (analysts.router, owners.router, watch):
        app.include_router(router)
    # The last one added is the first to see a request: nobody without a key has a body read.
    app.add_middleware(BodyLimit, most=settings.body_bytes, seconds=settings.body_seconds)
    app.add_middleware(Watch, state=state)
    # Builds what reads bodies, here and now: built by the first requests at once, in several
    # threads, pydantic's guards against its own warnings get in each other's way.
    app.openapi()
    return app


def _warm_up(state: State) -> None:
    """Load every open data set; one that cannot be read is logged and does not stop the others."""
    for name, data in state.snapshot().data.items():
        if data.is_open(now()):
            try:
                state.desk.warm_up(data)
            except MicroveilError as error:
                log("not loaded", data=name, error=type(error).__name__)


_BODY_UNREAD = {HTTPStatus.UNAUTHORIZED, HTTPStatus.REQUEST_TIMEOUT, 413, 429}


class Watch:
    """Authorises, logs and counts requests; an unexpected error becomes a plain 500."""

    def __init__(self, app: App, state: State) -> None:
        """Guard an app."""
        self._app, self._state = app, state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, number, status = time.perf_counter(), secrets.token_hex(8), 0
        more = [(b"x-request-id", number.encode()), (b"cache-control", b"no-store")]

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                # What is left of a body that was not read would be taken for the next request.
                unread = [(b"connection", b"close")] if status in _BODY_UNREAD else []
                message["headers"] = [*message["headers"], *more, *unread]
            await send(message)

        visit = None
        try:
            visit = await admit(Request(scope), self._state)
            scope.setdefault("state", {})["visit"] = visit
            await self._app(scope, receive, sending)
        except errors.ApiError as error:
            await errors.reply(error)(scope, receive, sending)
        except Exception as error:  # noqa: BLE001  nothing of it may reach the caller
            if not status:
                await errors.reply_to_unexpected(error)(scope, receive, sending)
        self._note(scope, number, status, time.perf_counter() - started, visit)

    def _note(
        self, scope: Scope, number: str, status: int, seconds: float, visit: Visit | None
    ) -> None:
        route = getattr(scope.get("route"), "path", "unknown")
        self._state.metrics.request(route, status, seconds)
        facts = {"request": number, "method": scope["method"], "route": route, "status": status}
        log("request", **facts, ms=round(1000 * seconds, 1), key=visit and visit.key.id)
