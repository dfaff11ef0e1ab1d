from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl
import pytest

import microveil as mv


def example(column: str) -> mv.Redact:
    return mv.Redact(columns=[column])


def notes() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "id": ["P-1001", "P-1002", "P-1002"],
            "name": ["Eva Ruiz", "Bo Zhang", "Bo Zhang-Li"],
            "born": [dt.date(1984, 3, 5), dt.date(1990, 1, 2), dt.date(1990, 1, 2)],
            "note": [
                "Mrs RUIZ (p1001), born 5 March 1984, shares a room with Zhang.",
                "Bo said his brother li would call 020 7946 0958.",
                None,
            ],
        }
    )


ROLES = mv.Roles(identifiers=["name"], entity="id")


def test_own_identifiers_others_names_dates_and_patterns_go() -> None:
    after = mv.Redact(columns=["note"]).protect(notes(), ROLES)["note"].to_list()
    assert after[0] == "Mrs [name] ([id]), born [date], shares a room with [name]."
    assert after[1] == "[name] said his brother [name] would call [phone]."
    assert after[2] is None


def test_members_of_a_household_are_found_in_each_others_texts() -> None:
    frame = pl.DataFrame(
        {
            "home": [1, 1, None],
            "name": ["eva", "bo", "ada"],
            "note": ["bo came", "eva left", "eva, bo and ada"],
        }
    )
    roles = mv.Roles(identifiers=["name"], household="home")
    after = mv.Redact(columns=["note"], others=0).protect(frame, roles)["note"].to_list()
    assert after == ["[name] came", "[name] left", "eva, bo and [name]"]


def test_facts_count_what_went_by_kind_and_hold_no_text() -> None:
    table = mv.Table(notes(), ROLES)
    facts = mv.Redact(columns=["note"]).apply(table, np.random.default_rng(1)).facts
    assert facts["n_redacted"] == {"date": 1, "id": 1, "name": 4, "phone": 1}
    assert facts["n_changed"] == {"note": 2}


def test_facts_name_the_identifiers_that_were_looked_for() -> None:
    roles = mv.Roles(identifiers=["name"])
    first, second = mv.Redact(columns=["note"]), mv.Drop(columns=["name"])
    frame = notes().select("name", "note")
    told = mv.run(mv.Recipe(roles=roles, steps=[first, second]), frame)
    late = mv.run(mv.Recipe(roles=roles, steps=[second, first]), frame)
    assert told.facts[0].facts["identifiers"] == ["name"]
    assert late.facts[1].facts["identifiers"] == []


def test_a_release_says_that_nothing_is_guaranteed() -> None:
    recipe = mv.Recipe(
        roles=mv.Roles(identifiers=["name"]),
        steps=[mv.Redact(columns=["note"]), mv.Drop(columns=["name"])],
    )
    release = mv.run(recipe, notes().select("name", "note"))
    assert "redacted_text" in {one.kind for one in release.cautions}


def test_numbers_are_no_text() -> None:
    with pytest.raises(mv.InputError, match="needs text"):
        mv.Redact(columns=["x"]).protect({"x": [1, 2]})
