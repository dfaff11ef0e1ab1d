"""The OpenAPI description, and a fuzzer that believes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from microveil.service.api.app import create_app
from microveil.service.settings import Settings
from tests.service.places import Place, make_place
from tests.service.servers import serving

Served = tuple[FastAPI, str, Place]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("fuzzed")
    place = make_place(folder, f"sqlite:///{folder}/ledger.db")
    wide = Settings(requests_per_second=1e6, burst=10**6)
    app = create_app(place.home.open(), place.home.secret(), wide)
    with serving(app) as client:
        yield app, str(client.base_url), place


def fuzz(served: Served, n_examples: int) -> int:
    """Send what the description allows and what it forbids; how many requests that were."""
    app, url, place = served
    described: Any = schemathesis.openapi.from_dict(app.openapi())
    n_sent = 0
    for found in described.get_all_operations():
        operation = found.ok()
        if operation.path.endswith("/close"):
            continue  # would close the door for all others
        owners = operation.path.startswith(("/v1/owner", "/metrics"))
        head = place.headers("owner" if owners else "cleo")
        n_sent += send(operation, url, head, n_examples)
    return n_sent


def send(operation: Any, url: str, head: dict[str, str], n_examples: int) -> int:
    """Requests to one endpoint, each reply held against the description."""
    allowed = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    forbidden = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
    sent = []

    @settings(
        max_examples=n_examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(allowed | forbidden, st.sampled_from(["survey", "census", None]))
    def send_one(case: Any, name: str | None) -> None:
        if name is not None and "name" in (case.path_parameters or {}):
            case.path_parameters["name"] = name
        reply = case.call(base_url=url, headers=head)
        sent.append(reply.status_code)
        case.validate_response(reply, checks=CHECKS)

    send_one()
    return len(sent)


CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def test_replies_are_as_described(served: Served) -> None:
    assert fuzz(served, n_examples=4) > 40


@pytest.mark.slow
def test_many_replies_are_as_described(served: Served) -> None:
    assert fuzz(served, n_examples=150) > 1000


def test_the_description_names_every_endpoint_and_needs_nothing_from_elsewhere(
    served: Served,
) -> None:
    app, _, _ = served
    paths = app.openapi()["paths"]
    analysts = {"", "/{name}", "/{name}/price", "/{name}/dry-run", "/{name}/query"}
    analysts |= {"/{name}/history", "/{name}/budget"}
    assert {f"/v1/data{path}" for path in analysts} <= set(paths)
    assert app.docs_url is None
    for path, methods in paths.items():
        for method in methods.values():
            assert ("security" in method) == path.startswith(("/v1/", "/metrics"))
