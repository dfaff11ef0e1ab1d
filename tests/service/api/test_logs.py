from __future__ import annotations

import json

import httpx
import pytest

from tests.service.api.cases import QUERY
from tests.service.places import Place


def test_logs_are_json_without_questions(
    client: httpx.Client, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    where = "region = 'a name that must not be logged'"
    body = {"query": {"query": "count", "where": where}, "spend": {"epsilon": "1"}}
    client.post(QUERY, json=body, headers=place.headers("ann"))
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    (line,) = [line for line in lines if line["event"] == "request"]
    assert line["route"] == "/v1/data/{name}/query"
    assert line["status"] == 200
    assert line["key"] == place.keys["ann"].split("_")[1]
    assert "must not be logged" not in json.dumps(lines)
    assert place.keys["ann"] not in json.dumps(lines)
