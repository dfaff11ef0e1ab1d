"""Access control: the caller, identified by their key, and the data sets it gives access to."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from threading import Lock
from typing import Annotated, Any

from anyio import to_thread
from fastapi import Depends, Path, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from microveil.service import keys
from microveil.service.api.errors import ApiError, no_key, not_yours
from microveil.service.api.limits import RateLimit
from microveil.service.api.metrics import Metrics
from microveil.service.desk import Asker, Desk
from microveil.service.keys import Key
from microveil.service.registry import DataSet, Registry
from microveil.service.settings import Settings


@dataclass(frozen=True)
class Known:
    """A snapshot of what is registered."""

    keys: dict[str, Key]
    groups: dict[str, str]
    data: dict[str, DataSet]
    read_at: float


@dataclass
class State:
    """What all requests share."""

    registry: Registry
    desk: Desk
    secret: bytes
    settings: Settings
    metrics: Metrics = field(default_factory=Metrics)

    def __post_init__(self) -> None:
        """Set up the derived attributes."""
        self.rate = RateLimit(self.settings.requests_per_second, self.settings.burst)
        self._lock = Lock()
        self._known: Known | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    def fresh(self) -> Known | None:
        """Keys, analysts and data sets, or None if the snapshot is too old."""
        known = self._known
        if known is None or time.monotonic() - known.read_at >= self.settings.registry_seconds:
            return None
        return known

    def snapshot(self) -> Known:
        """Keys, analysts and data sets, read again if the snapshot is too old."""
        fresh = self.fresh()
        if fresh is not None:
            return fresh
        with self._lock:
            registry, now = self.registry, time.monotonic()
            self._known = Known(registry.keys(), registry.analysts(), registry.data_sets(), now)
            return self._known

    def keep(self, task: asyncio.Task[Any]) -> None:
        """Keep a reference to work that may outlive its request."""
        self._tasks.add(task)
        task.add_done_callback(self._let_go)

    def _let_go(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # the waiting request has already seen it

    async def finish(self, seconds: float) -> None:
        """Wait for work that outlives its request, but not for ever."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        for task in self._tasks:
            task.cancel()

    def forget(self) -> None:
        """Read everything again at the next request."""
        self._known = None


async def state_of(request: Request) -> State:
    """The state of the app that received a request."""
    state: State = request.app.state.microveil
    return state


Shared = Annotated[State, Depends(state_of)]
GUARDED = ("/v1/", "/metrics")
"""Paths that need a key."""
_bearer = HTTPBearer(auto_error=False, scheme_name="key", description="`Bearer mv_…`")
Given = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]


@dataclass(frozen=True)
class Visit:
    """An authorised request: its key, and what was registered when it arrived."""

    key: Key
    snapshot: Known


async def admit(request: Request, state: State) -> Visit | None:
    """The sender of a request, counted against their rate limit. None if no key is needed."""
    if not request.scope["path"].startswith(GUARDED):
        return None
    known = state.fresh()
    if known is None:
        known = await to_thread.run_sync(state.snapshot)
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    found = keys.find(state.secret, given if kind.lower() == "bearer" else "", known.keys)
    address = request.client.host if request.client else "nowhere"
    state.rate.take(found.id if found else f"address {address}")
    if found is None:
        raise no_key()
    return Visit(found, known)


async def visit_of(request: Request, given: Given) -> Visit:
    """The request as it was authorised before its body was read.

    Nothing here waits, but everything is asynchronous: otherwise each step would change threads.
    """
    del given  # only for the OpenAPI description
    found: Visit | None = request.state.visit
    if found is None:
        raise no_key()
    return found


Visiting = Annotated[Visit, Depends(visit_of)]


async def analyst_key(visit: Visiting) -> Key:
    """An analyst's key."""
    key = visit.key
    if key.role != "analyst":
        raise ApiError(403, "not_yours", "This is an owner's key; use an analyst's key.")
    return key


async def owner_key(visit: Visiting) -> Key:
    """An owner's key."""
    key = visit.key
    if key.role != "owner":
        raise ApiError(403, "not_yours", "This needs an owner's key.")
    return key


AnalystKey = Annotated[Key, Depends(analyst_key)]
OwnerKey = Annotated[Key, Depends(owner_key)]
Name = Annotated[str, Path(max_length=64, description="Name of the data set.")]


def open_data_set(key: Key, name: str, known: Known) -> DataSet:
    """A data set that the key gives access to."""
    data = known.data.get(name)
    if data is None or not key.opens(name):
        raise not_yours()
    return data


async def asked_data(name: Name, key: AnalystKey, visit: Visiting) -> DataSet:
    """The data set that an analyst queries."""
    return open_data_set(key, name, visit.snapshot)


async def owned_data(name: Name, key: OwnerKey, visit: Visiting) -> DataSet:
    """The data set that an owner manages."""
    return open_data_set(key, name, visit.snapshot)


AskedData = Annotated[DataSet, Depends(asked_data)]
OwnedData = Annotated[DataSet, Depends(owned_data)]


async def asker_of(key: AnalystKey, visit: Visiting) -> Asker:
    """The analyst and their group."""
    return Asker(key.holder, visit.snapshot.groups.get(key.holder, key.holder))


AskerOf = Annotated[Asker, Depends(asker_of)]


def still_open(data: DataSet) -> None:
    """Refuse queries on a closed data set."""
    if not data.is_open(keys.now()):
        raise ApiError(410, "closed", "This data set is closed to further queries.")
