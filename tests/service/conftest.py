"""Ledgers of both kinds, each test its own."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from microveil.service.api.app import create_app
from microveil.service.home import Home
from microveil.service.ledger.ledger import Ledger
from microveil.service.settings import Settings
from tests import postgresql
from tests.service.places import Place, make_place
from tests.service.servers import serving

KINDS = ["sqlite", "postgresql"]


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    programs = postgresql.binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (initdb not found); install package postgresql")
    with postgresql.running(programs) as url:
        yield url


@pytest.fixture
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    """Makes the address of an empty database of a kind."""

    def make(kind: str) -> str:
        name = f"ledger_{secrets.token_hex(4)}"
        if kind == "sqlite":
            return f"sqlite:///{tmp_path}/{name}.db"
        import psycopg

        server: str = request.getfixturevalue("postgresql_server")
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return server.removesuffix("postgres") + name

    return make


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, new_url: Callable[[str], str]) -> str:
    return new_url(request.param)


@pytest.fixture
def ledger(url: str) -> Iterator[Ledger]:
    with Ledger.open(url, create=True) as opened:
        yield opened


@pytest.fixture(scope="session")
def first_place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A home on SQLite that nobody asks: tests begin with a copy of it."""
    folder = tmp_path_factory.mktemp("place")
    return make_place(folder, f"sqlite:///{folder}/home/ledger.db")


@pytest.fixture
def place(first_place: Place, tmp_path: Path) -> Place:
    shutil.copytree(first_place.home.folder, tmp_path / "home")
    return Place(Home(tmp_path / "home"), first_place.keys)


@pytest.fixture
def app(place: Place) -> FastAPI:
    """The service, without limits that a fast test would meet."""
    settings = Settings(requests_per_second=1e6, burst=10**6, registry_seconds=0)
    return create_app(place.home.open(), place.home.secret(), settings)


@pytest.fixture
def client(app: FastAPI) -> Iterator[httpx.Client]:
    with serving(app) as opened:
        yield opened
