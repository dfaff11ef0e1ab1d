"""What tests of the service's doors send."""

from __future__ import annotations

import httpx

from tests.service.places import Place

QUERY = "/v1/data/survey/query"


def send(client: httpx.Client, place: Place, body: bytes, kind: str = "application/json") -> int:
    head = {**place.headers("ann"), "Content-Type": kind}
    reply = client.post(QUERY, content=body, headers=head)
    assert "Traceback" not in reply.text
    assert set(reply.json()) == {"error"}
    return reply.status_code
