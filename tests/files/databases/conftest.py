"""A PostgreSQL server for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import postgresql


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    """The address of an empty database, without a table or a query."""
    programs = postgresql.binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (initdb not found); install package postgresql")
    with postgresql.running(programs) as url:
        yield url
