from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from microveil.service.api.app import create_app
from microveil.service.home import Home
from microveil.service.registering import register
from microveil.service.registry import Registry
from microveil.service.settings import Settings
from tests.service.api.cases import QUERY
from tests.service.places import OWNER, make_place, survey
from tests.service.servers import serving


def test_data_that_changed_on_disk_are_not_asked_and_cost_nothing(tmp_path: Path) -> None:
    place = make_place(tmp_path, f"sqlite:///{tmp_path}/ledger.db")
    path = tmp_path / "survey.parquet"
    path.write_bytes(path.read_bytes() + b" ")
    head, body = place.headers("ann"), {"query": {"query": "count"}, "spend": {"epsilon": "1"}}
    with serving(create_app(place.home.open(), place.home.secret())) as client:
        reply = client.post(QUERY, json=body, headers=head)
        assert reply.status_code == 503
        assert "not the one that was registered" in reply.json()["error"]["message"]
        budget = client.get("/v1/data/survey/budget", headers=head).json()
    assert budget["spent"] == {"epsilon": "0"}


def test_a_public_table_that_changed_begins_a_new_identity_without_new_budget(
    tmp_path: Path,
) -> None:
    """The running service follows, stored answers stay behind, and no price is shared over both."""
    frame, places = tmp_path / "survey.parquet", tmp_path / "places.csv"
    survey().write_parquet(frame)
    raw = {
        **OWNER,
        "tables": {"places": {"key": "region", "columns": {"coast": {"type": "boolean"}}}},
        "service": {**OWNER["service"], "tables": {"places": "places.csv"}},
    }
    (tmp_path / "owner.yaml").write_text(yaml.safe_dump(raw), encoding="utf-8")
    home = Home(tmp_path / "home")

    def add(*, north: bool) -> None:
        other = "false" if north else "true"
        places.write_text(f"region,coast\nnorth,{str(north).lower()}\nsouth,{other}\n")
        register(home, frame, tmp_path / "owner.yaml", replace=True)

    def where(text: str) -> dict[str, Any]:
        query = {"query": "count", "where": text, "join": ["places"]}
        return {"query": query, "spend": {"epsilon": "2"}}

    add(north=True)
    with home.open() as ledger:
        key, _ = Registry(ledger).create_key(home.secret(), "ann", "analyst", ["survey"])
    head = {"Authorization": f"Bearer {key}"}
    app = create_app(home.open(), home.secret(), Settings(registry_seconds=0))
    with serving(app) as client:
        first = client.post(QUERY, json=where("coast"), headers=head).json()
        add(north=False)
        again = client.post(QUERY, json=where("coast"), headers=head).json()
        other = client.post(QUERY, json=where("NOT coast"), headers=head).json()
        budget = client.get("/v1/data/survey/budget", headers=head).json()
        places.write_text("region,coast\nnorth,true\n")
        changed = client.post(QUERY, json=where("coast AND age > 3"), headers=head)
    values = [one["answers"][0]["rows"][0]["value"] for one in (first, again, other)]
    # 300 of 400 people live in the north.
    assert [round(value, -2) for value in values] == [300, 100, 300]
    assert [one["why"] for one in (first, again, other)] == ["paid"] * 3
    # The second paid in full; the third shares its price, about the other people of one version.
    assert [one["charged"]["epsilon"] for one in (first, again, other)] == ["2", "2", "0"]
    assert budget["spent"] == {"epsilon": "4"}
    assert changed.status_code == 200
    with serving(create_app(home.open(), home.secret())) as client:
        assert client.post(QUERY, json=where("age > 3"), headers=head).status_code == 503
