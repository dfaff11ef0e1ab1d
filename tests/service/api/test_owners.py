from __future__ import annotations

import httpx

from tests.service.places import Place

COUNT = {"query": {"query": "count"}, "spend": {"epsilon": "1"}}


def test_owners_see_who_spent_what(client: httpx.Client, place: Place) -> None:
    client.post("/v1/data/survey/query", json=COUNT, headers=place.headers("ann"))
    owner = place.headers("owner")
    found = client.get("/v1/owner/data/survey/accounts", headers=owner).json()
    assert found["shared"]["spent"] == found["analysts"]["ann"]["spent"] == {"epsilon": "1"}
    assert found["analysts"]["bob"]["spent"] == {"epsilon": "0"}
    history = client.get("/v1/owner/data/survey/history", headers=owner).json()["questions"]
    assert [one["analyst"] for one in history] == ["ann"]
    assert client.get("/v1/owner/audit", headers=owner).json()["holds"]


def test_owners_change_budgets(client: httpx.Client, place: Place) -> None:
    owner, head = place.headers("owner"), place.headers("ann")
    path = "/v1/owner/data/survey/budget"
    low = {"analyst": "ann", "budget": {"epsilon": "1/2"}}
    assert client.put(path, json=low, headers=owner).status_code == 200
    assert client.post("/v1/data/survey/query", json=COUNT, headers=head).status_code == 402
    assert client.put(path, json={"budget": {"epsilon": 1}}, headers=owner).status_code == 200
    assert client.put(path, json={"budget": {"rho": 1}}, headers=owner).status_code == 422
    unknown = {"analyst": "nobody", "budget": {"epsilon": 1}}
    assert client.put(path, json=unknown, headers=owner).status_code == 404


def test_a_closed_data_set_takes_no_questions_but_shows_its_history(
    client: httpx.Client, place: Place
) -> None:
    head = place.headers("ann")
    client.post("/v1/data/survey/query", json=COUNT, headers=head)
    done = client.post("/v1/owner/data/survey/close", headers=place.headers("owner"))
    assert done.status_code == 200
    assert client.post("/v1/data/survey/query", json=COUNT, headers=head).status_code == 410
    assert len(client.get("/v1/data/survey/history", headers=head).json()["questions"]) == 1
    assert not client.get("/v1/data/survey", headers=head).json()["is_open"]
