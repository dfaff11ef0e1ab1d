from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from microveil.errors import InputError
from microveil.synthesis.private.domain import ColumnDomain, Range, Values, check_domain

DOMAIN: TypeAdapter[Any] = TypeAdapter(ColumnDomain)


def test_short_ways_to_write_a_domain() -> None:
    assert DOMAIN.validate_python(["f", "m"]) == Values(values=("f", "m"))
    assert DOMAIN.validate_python(5) == Range(low=0, high=4)
    assert DOMAIN.validate_python({"low": 0, "high": 9, "bins": 2}) == Range(low=0, high=9, bins=2)


def test_every_column_is_declared_and_nothing_else() -> None:
    domain = {"age": Range(low=0, high=110)}
    check_domain(domain, ["age"], "mst")
    with pytest.raises(InputError, match=r"'mst' needs a declared domain.*sex"):
        check_domain(domain, ["age", "sex"], "mst")
    with pytest.raises(InputError, match="do not have") as refused:
        check_domain({**domain, "agee": Range(low=0, high=1)}, ["age"], "mst")
    assert "Did you mean 'age'?" in str(refused.value)
