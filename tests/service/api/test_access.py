"""Who is let in: right keys, for the right data, in time; and what others are told."""

from __future__ import annotations

from typing import Any

import httpx

from tests.service.places import Place

COUNT = {"query": {"query": "count"}, "spend": {"epsilon": "1/10"}}


QUERY = "/v1/data/survey/query"


def refused(client: httpx.Client, headers: dict[str, str]) -> Any:
    reply = client.post(QUERY, json=COUNT, headers=headers)
    return reply.status_code, reply.json(), reply.headers.get("www-authenticate")


def test_missing_wrong_expired_and_revoked_keys_hear_the_same(
    client: httpx.Client, place: Place
) -> None:
    right = place.keys["ann"]
    wrong = ["x", "mv", "mv__", "mv_000000000000_x", right[:-1], right + "x", right.swapcase()]
    heads = [{}, {"Authorization": right}, {"Authorization": f"Basic {right}"}]
    heads += [{"Authorization": f"Bearer {key}"} for key in wrong]
    heads += [place.headers("late"), place.headers("gone")]
    replies = [refused(client, head) for head in heads]
    assert {reply[0] for reply in replies} == {401}
    assert all(reply == replies[0] for reply in replies)
    assert replies[0][2] == "Bearer"


def test_anothers_data_set_and_none_at_all_look_the_same(
    client: httpx.Client, place: Place
) -> None:
    head = place.headers("ann")
    replies = [
        (reply.status_code, reply.text)
        for name in ("census", "nothing", "survey'; drop table api_keys;--")
        for reply in (
            client.get(f"/v1/data/{name}", headers=head),
            client.post(f"/v1/data/{name}/query", json=COUNT, headers=head),
            client.get(f"/v1/data/{name}/history", headers=head),
            client.get(f"/v1/data/{name}/budget", headers=head),
        )
    ]
    assert {status for status, _ in replies} == {403}
    assert len(set(replies)) == 1


def test_analysts_and_owners_have_doors_of_their_own(client: httpx.Client, place: Place) -> None:
    owner, analyst = place.headers("owner"), place.headers("ann")
    assert client.post(QUERY, json=COUNT, headers=owner).status_code == 403
    for path in ("keys", "audit", "data/survey/accounts", "data/survey/history"):
        assert client.get(f"/v1/owner/{path}", headers=analyst).status_code == 403
        assert client.get(f"/v1/owner/{path}", headers=owner).status_code == 200
    assert client.get("/v1/owner/data/census/accounts", headers=owner).status_code == 403
    assert client.get("/metrics").status_code == 401
    assert client.get("/metrics", headers=analyst).status_code == 403
    assert client.get("/metrics", headers=owner).status_code == 200
    assert client.get("/healthz").json() == {"status": "ok"}


def test_nobody_without_a_key_learns_what_is_wrong_with_a_body(client: httpx.Client) -> None:
    for body in (b"{", b"{}", b"[" * 20_000):
        assert client.post(QUERY, content=body).status_code == 401


def test_a_revoked_key_stops_at_once_and_a_new_one_works(
    client: httpx.Client, place: Place
) -> None:
    owner = place.headers("owner")
    made = client.post("/v1/owner/keys", json={"analyst": "eve", "data": ["survey"]}, headers=owner)
    assert made.status_code == 201
    head = {"Authorization": f"Bearer {made.json()['key']}"}
    assert client.get("/v1/data/survey", headers=head).status_code == 200
    listed = client.get("/v1/owner/keys", headers=owner).text
    assert made.json()["id"] in listed
    assert made.json()["key"] not in listed
    done = client.delete(f"/v1/owner/keys/{made.json()['id']}", headers=owner)
    assert done.status_code == 200
    assert client.get("/v1/data/survey", headers=head).status_code == 401


def test_owners_make_keys_for_their_own_data_alone(client: httpx.Client, place: Place) -> None:
    owner = place.headers("owner")
    for data in (["census"], ["survey", "census"], ["nothing"]):
        body = {"analyst": "eve", "data": data}
        assert client.post("/v1/owner/keys", json=body, headers=owner).status_code == 403
    cleo = place.keys["cleo"].split("_")[1]
    assert client.delete(f"/v1/owner/keys/{cleo}", headers=owner).status_code == 404
    mine = place.keys["owner"].split("_")[1]
    assert client.delete(f"/v1/owner/keys/{mine}", headers=owner).status_code == 404
    past = {"analyst": "eve", "data": ["survey"], "expires": "2020-01-01T00:00:00Z"}
    made = client.post("/v1/owner/keys", json=past, headers=owner).json()
    head = {"Authorization": f"Bearer {made['key']}"}
    assert client.get("/v1/data", headers=head).status_code == 401
