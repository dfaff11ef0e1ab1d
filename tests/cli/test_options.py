from __future__ import annotations

from inspect import signature
from typing import Any

import pytest

from microveil.cli.options import checked_missing, measures_of, names, roles_of, takes_options
from microveil.errors import InputError


def test_names_come_repeated_or_with_commas() -> None:
    assert names(None) == names([]) == names([" , "]) == ()
    assert names(["age, sex", "zip,"]) == ("age", "sex", "zip")


def test_measures_keep_the_commas_of_their_settings() -> None:
    assert measures_of("all") == "all"
    assert measures_of("il1s") == ["il1s"]
    assert measures_of("il1s:columns=[a, b], all") == ["il1s:columns=[a, b]", "all"]


def test_roles_are_those_of_the_options() -> None:
    roles = roles_of(["age,sex"], ["ill"], "w")
    assert (roles.quasi_identifiers, roles.sensitive) == (("age", "sex"), ("ill",))
    assert roles.weight == "w"


def test_a_command_receives_its_added_options_together() -> None:
    received: dict[str, Any] = {}

    def command(data: str, *, reading: dict[str, Any]) -> None:
        received.update(reading, data=data)

    wrapped = takes_options(command, {"sep": str, "table": str}, "reading")
    assert list(signature(wrapped).parameters) == ["data", "sep", "table"]
    wrapped(data="a.csv", sep=";", table=None)
    assert received == {"data": "a.csv", "sep": ";", "table": None}


def test_missing_keys_are_read_in_two_ways() -> None:
    assert checked_missing("wildcard") == "wildcard"
    with pytest.raises(InputError, match="'category' or 'wildcard', not 'nothing'"):
        checked_missing("nothing")
