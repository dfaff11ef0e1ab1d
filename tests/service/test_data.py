from __future__ import annotations

from pathlib import Path

from microveil.service.api.app import create_app
from tests.service.api.cases import QUERY
from tests.service.places import make_place
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
