"""The page about people, households and strata says what steps, models and measures do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import microveil as mv
from docs import roles

QUICK = 21
SEEDS = (22, 23, 24)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROVEIL_KEY", "a key for this page, kept by nobody")


def claims() -> Iterator[tuple[str, str, str]]:
    """What the page says of each step with each role."""
    text = Path(roles.PAGE).read_text(encoding="utf-8")
    for line in re.findall(r"^\| \[`\w+`\]\(methods/.*$", text, flags=re.MULTILINE):
        name, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        method = name.split("`")[1]
        for role, cell in zip(roles.ROLES, cells, strict=True):
            yield method, role, cell


@pytest.mark.slow
def test_the_page_is_up_to_date() -> None:
    there = Path(roles.PAGE).read_text(encoding="utf-8")
    assert there == roles.page(), "run `python docs/roles.py`"


def test_the_page_names_every_step_in_known_words() -> None:
    found = list(claims())
    assert {method for method, _, _ in found} == set(mv.METHODS.classes)
    words = set(re.findall(r"^\| ([a-z –,]+) \|", roles.HEAD, flags=re.MULTILINE))
    known = {word for some in words for word in some.split(", ")}
    assert {cell for _, _, cell in found} <= known


def check(method: str, role: str, says: str, seed: int) -> None:
    made = roles.applied(method, role, seed)
    assert (made is None) == (says == "refused")
    if made is None:
        return
    before, after = made
    unit = roles.UNIT.get(role, "")
    if says.startswith("alike"):
        assert roles.keeps_units_alike(before, after, unit, roles.column_for(method))
    if says.startswith(("alike", "whole")):
        assert roles.removes_whole_units(before, after, unit)
    if says in ("–", "rows", "alike anyway"):
        plain = roles.applied(method, None, seed)
        assert plain is not None
        assert roles.same(plain[1], after)


def test_what_the_page_says_of_people_holds_for_other_data() -> None:
    for method, role, says in claims():
        if role == "entity":
            check(method, role, says, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize(("method", "role", "says"), list(claims()))
def test_what_the_page_says_holds_for_other_data(method: str, role: str, says: str) -> None:
    for seed in SEEDS:
        check(method, role, says, seed)
