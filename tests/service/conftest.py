"""Ledgers of both kinds, each test its own."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from microveil.service.ledger.ledger import Ledger
from tests import postgresql

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
