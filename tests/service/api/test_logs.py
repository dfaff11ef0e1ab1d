from __future__ import annotations

import json
import logging

import httpx
import pytest

from microveil.service.api.logs import LibraryLines
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


def test_what_a_library_logs_forges_no_line_and_tells_no_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logger, handler = logging.getLogger("some.library"), LibraryLines()
    logger.addHandler(handler)
    logger.propagate = False
    logger.warning('zebra-77\n{"event": "forged"}')
    try:
        int("zebra-77\nforged")
    except ValueError:
        logger.exception("failed: %s", "zebra-77")
    logger.removeHandler(handler)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["event"] for line in lines] == ["library", "library"]
    assert [line["level"] for line in lines] == ["warning", "error"]
    assert lines[1]["error"] == "ValueError"
    assert "zebra" not in json.dumps(lines)
    assert "forged" not in json.dumps(lines)


def test_a_statement_with_a_line_break_leaves_no_trace(
    client: httpx.Client, place: Place, capfd: pytest.CaptureFixture[str]
) -> None:
    for sql in ("ALTER zebra-77\n{}", "SHOW x\nzebra-77", "CALL zebra('77')\n{\"event\": 1}"):
        body = {"sql": sql, "spend": {"epsilon": "1"}}
        assert client.post(QUERY, json=body, headers=place.headers("ann")).status_code == 422
    err = capfd.readouterr().err
    assert "zebra" not in err
    assert all("at" in json.loads(line) for line in err.splitlines())
