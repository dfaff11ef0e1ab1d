"""The analysts' endpoints: schema, price, dry run, query, history, budget."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Query
from pydantic import BaseModel

from microveil.service.api.access import (
    AnalystKey,
    AskedData,
    AskerOf,
    Shared,
    State,
    Visiting,
    still_open,
)
from microveil.service.api.errors import RESPONSES
from microveil.service.keys import now
from microveil.service.ledger.amounts import write_amounts
from microveil.service.questions import AskRequest

router = APIRouter(prefix="/v1/data", tags=["analysts"], responses=RESPONSES)
ResultT = TypeVar("ResultT")
Amounts = dict[str, str]


class Names(BaseModel):
    """Data sets that a key gives access to."""

    data: list[str]


class Schema(BaseModel):
    """Public knowledge about a data set."""

    name: str
    declaration: dict[str, Any]
    unit: str
    relation: str
    currency: Literal["epsilon", "rho"]
    expires: str | None
    is_open: bool


class Offer(BaseModel):
    """What a query would cost."""

    offers: list[dict[str, Any]]
    """The privacy loss and expected error of each query."""
    charge: Amounts
    """What will be charged in total."""
    free: dict[str, Any] | None
    """The free answer, if there is one: its errors, and the answers it follows from."""
    is_free: bool
    """Whether the free answer is as accurate as the offer."""


class Answers(BaseModel):
    """Answers, and what they cost."""

    answers: list[dict[str, Any]]
    why: Literal["paid", "stored", "derived", "dry run"]
    charged: Amounts
    sources: list[int]
    """Numbers of the paid queries that a derived answer follows from."""


class Budget(BaseModel):
    """An analyst's budget; ``left`` also takes the shared budget into account."""

    cap: Amounts
    spent: Amounts
    left: Amounts


class History(BaseModel):
    """Paid queries, newest first."""

    questions: list[dict[str, Any]]


@router.get("")
async def list_data(key: AnalystKey, visit: Visiting) -> Names:
    """List the data sets that the key gives access to."""
    return Names(data=[name for name in key.scope if name in visit.snapshot.data])


@router.get("/{name}")
async def schema(data: AskedData) -> Schema:
    """Return the columns, bounds and keys as declared by the owner."""
    return Schema(
        name=data.name,
        declaration=data.declaration.to_dict(),
        unit=data.declaration.unit,
        relation=data.declaration.relation,
        currency="rho" if data.terms.budget.rho else "epsilon",
        expires=data.expires,
        is_open=data.is_open(now()),
    )


@router.post("/{name}/price")
async def price(request: AskRequest, data: AskedData, asker: AskerOf, state: Shared) -> Offer:
    """Return the price and accuracy of a query; nothing is spent."""
    return Offer(**await in_time(state, state.desk.price(request, data, asker)))


@router.post("/{name}/dry-run")
async def dry_run(request: AskRequest, data: AskedData, state: Shared) -> Answers:
    """Answer from an invented table: free, and about no real person."""
    found = await in_time(state, state.desk.dry_run(request, data))
    return Answers(answers=found, why="dry run", charged={}, sources=[])


@router.post("/{name}/query")
async def query(request: AskRequest, data: AskedData, asker: AskerOf, state: Shared) -> Answers:
    """Answer a query: free if it follows from earlier paid answers, otherwise for its price."""
    still_open(data)
    found = await in_time(state, state.desk.ask(request, data, asker))
    state.metrics.answer(found.why)
    return Answers(
        answers=found.answers,
        why=found.why,
        charged=write_amounts(found.charged),
        sources=list(found.sources),
    )


@router.get("/{name}/budget")
def budget(data: AskedData, asker: AskerOf, state: Shared) -> Budget:
    """Return what the analyst may spend, has spent and can still spend."""
    return Budget(**state.desk.budget(data, asker))


@router.get("/{name}/history")
def history(
    data: AskedData,
    asker: AskerOf,
    state: Shared,
    most: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> History:
    """List the paid queries of the analyst's group with their answers, newest first."""
    wanted = min(most, state.settings.history)
    return History(questions=state.desk.history(data, asker.group, wanted))


async def in_time(state: State, work: Coroutine[Any, Any, ResultT]) -> ResultT:
    """Wait up to the time limit; a paid query continues in the background and is stored."""
    task = asyncio.ensure_future(work)
    state.keep(task)
    return await asyncio.wait_for(asyncio.shield(task), state.settings.seconds)
