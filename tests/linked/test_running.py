from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.errors import InputError, RequirementNotMetError
from microveil.linked import LinkedRecipe, run_linked
from tests.linked.schemas import random_schema, verify


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROVEIL_KEY", "a long secret key, for tests only")


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6))
def test_random_schemas_pass_an_independent_verifier(seed: int) -> None:
    frames, raw = random_schema(seed)
    release = run_linked(LinkedRecipe.parse(raw), frames, seed=1)
    verify(frames, raw, release.data)


def small() -> tuple[dict[str, Any], dict[str, Any]]:
    frames: dict[str, Any] = {
        "people": pl.DataFrame({"id": [1, 2, 3], "sex": ["f", "f", "m"]}),
        "visits": pl.DataFrame(
            {"person": [1, 2, 3, 3], "ward": ["a", "a", "a", "b"], "note": ["x"] * 4}
        ),
    }
    recipe: dict[str, Any] = {
        "tables": {
            "people": {"roles": {"quasi_identifiers": ["sex"]}},
            "visits": {"roles": {"quasi_identifiers": ["ward"], "insensitive": ["note"]}},
        },
        "links": ["visits.person -> people.id"],
        "people": {
            "table": "people",
            "key": "id",
            "quasi_identifiers": ["sex", "visits.ward"],
            "require": [{"model": "k_anonymity", "k": 2}],
        },
    }
    return frames, recipe


def test_a_requirement_on_people_fails_closed(tmp_path: Path) -> None:
    frames, raw = small()
    release = run_linked(LinkedRecipe.parse(raw), frames)
    assert not release.holds
    with pytest.raises(RequirementNotMetError, match="2-anonymity does not hold"):
        release.write(tmp_path / "out")
    assert not (tmp_path / "out").exists()
    raw["people"]["suppress"] = True
    safe = run_linked(LinkedRecipe.parse(raw), frames)
    assert safe.holds
    assert {name: frame.height for name, frame in safe.data.items()} == {"people": 2, "visits": 2}


def test_each_scenario_counts() -> None:
    frames, raw = small()
    raw["people"] |= {
        "quasi_identifiers": [],
        "scenarios": {"ward": ["visits.ward"], "sex": ["sex"]},
    }
    release = run_linked(LinkedRecipe.parse(raw), frames)
    assert not release.holds


def test_a_person_removed_by_a_step_goes_everywhere() -> None:
    frames, raw = small()
    raw["people"]["require"] = []
    raw["tables"]["people"]["steps"] = [{"method": "suppress_records", "k": 2}]
    after = run_linked(LinkedRecipe.parse(raw), frames).data
    assert after["people"]["sex"].to_list() == ["f", "f"]
    assert after["visits"]["ward"].to_list() == ["a", "a"]
    assert set(after["visits"]["person"]) == set(after["people"]["id"])


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda frames, _: frames.pop("visits"), "There is no table 'visits'"),
        (
            lambda frames, _: frames.update(
                visits=pl.DataFrame({"person": [9], "ward": ["a"], "note": ["x"]})
            ),
            "orphan",
        ),
        (
            lambda frames, _: frames.update(people=pl.DataFrame({"id": [1, 1], "sex": ["f", "f"]})),
            "repeat one",
        ),
        (lambda _, raw: raw["people"].update(quasi_identifiers=["age"]), "no column 'age'"),
        (
            lambda _, raw: raw["people"].update(quasi_identifiers=[]),
            "nothing that an intruder knows",
        ),
        (
            lambda _, raw: raw["tables"]["visits"].update(
                steps=[{"method": "drop", "columns": ["person"]}]
            ),
            "which links tables",
        ),
        (
            lambda _, raw: raw["tables"]["visits"].update(
                steps=[{"method": "decompose", "groups": {"a": ["ward"], "b": ["note"]}}]
            ),
            "links tables",
        ),
        (
            lambda frames, _: frames.update(
                visits=pl.DataFrame({"person": ["1"], "ward": ["a"], "note": ["x"]})
            ),
            "same type",
        ),
    ],
)
def test_bad_input_is_refused_in_a_sentence(change: Any, says: str) -> None:
    frames, raw = small()
    change(frames, raw)
    with pytest.raises(InputError, match=says):
        run_linked(LinkedRecipe.parse(raw), frames)


def test_dates_before_1900_are_refused() -> None:
    frames, raw = small()
    frames["visits"] = frames["visits"].with_columns(day=pl.lit(date(1800, 1, 1)))
    raw["tables"]["visits"]["steps"] = [{"method": "shift_dates", "columns": ["day"]}]
    with pytest.raises(InputError, match="before 1900"):
        run_linked(LinkedRecipe.parse(raw), frames)
