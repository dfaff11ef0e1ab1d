from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import microveil as mv
from microveil.errors import RequirementNotMetError
from tests.linked.crossings import random_case, verify

QUICK, LONG = 40, 2_000


def _checked(seed: int) -> str:
    case = random_case(seed)
    release = mv.run_linked(mv.LinkedRecipe.parse(case.recipe), case.frames, seed=seed)
    try:
        after = release.data
    except RequirementNotMetError:
        return "broken"
    verify(case, after)
    return "derived" if any(one.strict for one in release.people.derivations) else "holds"


def test_every_crossing_passes_a_verifier_that_fills_in_what_other_tables_show() -> None:
    found = Counter(_checked(seed) for seed in range(QUICK))
    assert found["holds"] > QUICK // 4
    assert found["derived"]
    assert found["broken"]


@pytest.mark.slow
def test_many_crossings_pass() -> None:
    found = Counter(_checked(seed) for seed in range(10_000, 10_000 + LONG))
    assert found["holds"] > LONG // 4


def test_a_blanked_key_that_another_table_shows_does_not_count_as_blank() -> None:
    n = 60
    cities = ["a", "b"] * 24 + ["c", "d"] * 6
    people = {"id": range(n), "sex": ["f", "m"] * 30, "city": cities}
    visits = {"person": list(range(n)), "town": cities}
    raw: dict[str, Any] = {
        "tables": {
            "people": {
                "roles": {"quasi_identifiers": ["sex", "city"]},
                "steps": [{"method": "group_rare", "columns": ["city"], "min_count": 15}],
            },
            "visits": {"roles": {"insensitive": ["town"]}},
        },
        "links": ["visits.person -> people.id"],
        "people": {
            "table": "people",
            "key": "id",
            "quasi_identifiers": ["city"],
            "require": [{"model": "k_anonymity", "k": 12}],
        },
    }
    release = mv.run_linked(mv.LinkedRecipe.parse(raw), {"people": people, "visits": visits})
    (check,) = release.checks
    assert not check.holds
    assert check.achieved == 6
    assert "12 of 60 people break it" in check.sentence()
    assert "12 of 'city' from 'visits.town'" in check.sentence()
    raw["people"]["suppress"] = True
    safe = mv.run_linked(mv.LinkedRecipe.parse(raw), {"people": people, "visits": visits})
    assert safe.holds
    assert safe.data["people"].height == 48
    del raw["tables"]["visits"]
    raw["links"] = []
    assert mv.run_linked(mv.LinkedRecipe.parse(raw), {"people": people}).data["people"].height == n


def test_a_rare_postal_code_in_a_second_table_is_seen() -> None:
    """Nobody needs to know what a code means that is the key itself, however rare it is."""
    codes = [f"{1000 + i // 2}" for i in range(80)]
    frames = {
        "people": {"id": range(80), "code": codes},
        "bills": {"who": range(80), "code": codes},
    }
    digits = {"hierarchy": "digits"}
    mask = {"method": "generalize", "column": "code", "hierarchy": digits, "level": 2}
    raw: dict[str, Any] = {
        "tables": {
            "people": {"roles": {"quasi_identifiers": ["code"]}, "steps": [mask]},
            "bills": {"roles": {"insensitive": ["code"]}},
        },
        "links": ["bills.who -> people.id"],
        "people": {
            "table": "people",
            "key": "id",
            "quasi_identifiers": ["code"],
            "require": [{"model": "k_anonymity", "k": 5}],
        },
    }
    check = mv.run_linked(mv.LinkedRecipe.parse(raw), frames).checks[0]
    assert (check.holds, check.achieved) == (False, 2)
