"""The app: endpoints, limits, logs and metrics put together."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from anyio import to_thread
from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import PlainTextResponse, Response

import microveil
from microveil.errors import MicroveilError
from microveil.service.api import analysts, errors, owners
from microveil.service.api.access import OwnerKey, Shared, State, admit
from microveil.service.api.limits import BodyLimit
from microveil.service.api.logs import log
from microveil.service.desk import Desk, Limits
from microveil.service.keys import now
from microveil.service.ledger.ledger import Ledger
from microveil.service.registry import Registry
from microveil.service.settings import Settings

DESCRIPTION = (
    "Questions to private tables, answered with differential privacy: each has its price, known "
    "before it is asked, and budgets can be neither overspent nor lost."
)
watch = APIRouter(tags=["operation"])


@watch.get("/healthz", responses={503: errors.RESPONSES[503]})
def health(state: Shared) -> dict[str, str]:
    """Whether the service and its ledger work."""
    with state.registry.ledger.view() as view:
        view.head()
    return {"status": "ok"}


@watch.get("/metrics", response_class=PlainTextResponse, responses=errors.IN_JSON)
def metrics(key: OwnerKey, state: Shared) -> str:
    """Counts for Prometheus; needs an owner's key."""
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
        await state.finish()
        state.desk.close()
        ledger.close()

    # The pages that would show the description fetch scripts from elsewhere: none here.
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
    app.middleware("http")(_watched)
    app.add_middleware(BodyLimit, most=settings.body_bytes)
    return app


def _warm_up(state: State) -> None:
    """Load every open data set; one that cannot be read is told to the log, not to the others."""
    for name, data in state.known().data.items():
        if data.is_open(now()):
            try:
                state.desk.warm_up(data)
            except MicroveilError as error:
                log("not loaded", data=name, error=type(error).__name__)


async def _watched(request: Request, call: Callable[[Request], Awaitable[Response]]) -> Response:
    """Log and count a request; what nobody thought of becomes a plain 500."""
    started, number = time.perf_counter(), secrets.token_hex(8)
    key = None
    try:
        key = request.state.key = await admit(request)
        response = await call(request)
    except errors.ApiError as error:
        response = errors.reply(error)
    except Exception as error:  # noqa: BLE001  nothing of it may reach the caller
        response = errors.unexpected(error)
    taken = time.perf_counter() - started
    route = getattr(request.scope.get("route"), "path", "unknown")
    request.app.state.microveil.metrics.request(route, response.status_code, taken)
    facts: dict[str, Any] = {"request": number, "method": request.method, "route": route}
    facts |= {"status": response.status_code, "ms": round(1000 * taken, 1)}
    log("request", **facts, key=key and key.id)
    response.headers["X-Request-Id"] = number
    response.headers["Cache-Control"] = "no-store"
    return response
