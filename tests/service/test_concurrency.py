"""Many clients at once: the budget is kept exactly, and each answer stands once."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx
import pytest

from microveil.service.api.app import create_app
from microveil.service.ledger.audit import audit
from microveil.service.settings import Settings
from tests.service.places import Place, make_place
from tests.service.servers import serving

ANALYSTS = ("ann", "bob", "cleo")
PRICE = Fraction(1, 10)
BROKEN = 0
"""Stands for a connection that broke on a busy machine before the reply came."""


async def flood(urls: list[str], place: Place, n_clients: int, each: int) -> list[Any]:
    """Clients that all ask at once; half of the questions are asked by several of them."""
    limits = httpx.Limits(max_connections=n_clients)
    async with httpx.AsyncClient(timeout=120, limits=limits) as http:

        async def client(number: int) -> list[Any]:
            replies: list[Any] = []
            for turn in range(each):
                shared = turn % 2 == 0
                age = f"{turn} AND age < {turn + 90 if shared else 100 + number}"
                body = {
                    "query": {"query": "count", "where": f"age > {age}"},
                    "spend": {"epsilon": str(PRICE)},
                    "free": "never",
                }
                url = f"{urls[number % len(urls)]}/v1/data/survey/query"
                head = place.headers(ANALYSTS[number % len(ANALYSTS)])
                try:
                    reply = await http.post(url, json=body, headers=head)
                except httpx.NetworkError:
                    # What a client does then: ask again, for nothing is paid twice.
                    replies.append((BROKEN, {}))
                    reply = await http.post(url, json=body, headers=head)
                replies.append((reply.status_code, reply.json()))
            return replies

        found = await asyncio.gather(*(client(number) for number in range(n_clients)))
    return [reply for replies in found for reply in replies]


def check(place: Place, replies: list[Any], budget: int) -> None:
    """Nothing was lost, nothing came twice, and the budget is spent to the last tenth."""
    n_broken = sum(status == BROKEN for status, _ in replies)
    assert {status for status, _ in replies} <= {200, 402, BROKEN}
    answers = [reply for status, reply in replies if status == 200]
    n_paid = sum(reply["why"] == "paid" for reply in answers)
    with place.home.open() as ledger:
        assert audit(ledger).holds
        shared = ledger.balances("data:survey")["epsilon"]
        paid = ledger.paid_queries(data="survey")
        own = [ledger.balances(f"analyst:survey:{who}")["epsilon"] for who in ANALYSTS]
    assert shared.spent == PRICE * len(paid)
    assert n_paid <= len(paid) <= n_paid + n_broken
    assert shared.spent == sum((one.spent for one in own), Fraction(0))
    assert shared.spent <= budget
    assert all(one.spent <= one.cap for one in own)
    assert all(one.answer is not None for one in paid)
    stored = Counter(json.dumps(json.loads(one.answer or "")["answers"]) for one in paid)
    for reply in answers:
        assert json.dumps(reply["answers"]) in stored
    if any(status == 402 for status, _ in replies):
        full = shared.left < PRICE or any(one.left < PRICE for one in own)
        assert full


def n_paid_for(place: Place) -> int:
    with place.home.open() as ledger:
        return len(ledger.paid_queries(data="survey"))


def run(place: Place, n_clients: int, each: int, budget: int, n_services: int = 1) -> list[Any]:
    settings = Settings(requests_per_second=1e6, burst=10**6, seconds=120)
    apps = [create_app(place.home.open(), place.home.secret(), settings) for _ in range(n_services)]
    with serving(apps[0]) as first:
        urls = [str(first.base_url).rstrip("/")]
        if n_services == 1:
            replies = asyncio.run(flood(urls, place, n_clients, each))
        else:
            with serving(apps[1]) as second:
                urls.append(str(second.base_url).rstrip("/"))
                replies = asyncio.run(flood(urls, place, n_clients, each))
    check(place, replies, budget)
    return [reply for reply in replies if reply[0] != BROKEN]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_clients_of_two_services_spend_one_budget_exactly(
    kind: str, new_url: Callable[[str], str], tmp_path: Path
) -> None:
    place = make_place(
        tmp_path, new_url(kind), budget={"epsilon": 3}, analyst_budget={"epsilon": 2}
    )
    replies = run(place, n_clients=20, each=4, budget=3, n_services=2)
    assert len(replies) == 80
    assert n_paid_for(place) == 30


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize("n_services", [1, 2])
def test_two_hundred_clients(
    kind: str, n_services: int, new_url: Callable[[str], str], tmp_path: Path
) -> None:
    place = make_place(
        tmp_path, new_url(kind), budget={"epsilon": 100}, analyst_budget={"epsilon": 40}
    )
    replies = run(place, n_clients=200, each=10, budget=100, n_services=n_services)
    assert len(replies) == 2000
    assert n_paid_for(place) == 1000
