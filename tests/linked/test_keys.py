from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from tests.linked.test_running import small


def release(seed: int, keys: str) -> dict[str, pl.DataFrame]:
    frames, raw = small()
    raw["people"]["suppress"] = True
    return mv.run_linked(mv.LinkedRecipe.parse(raw | {"keys": keys}), frames, seed=seed).data


def test_pseudonyms_are_the_same_in_all_tables_and_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROVEIL_KEY", "a key of the tests, long enough to be one")
    first, second = release(1, "pseudonymize"), release(2, "pseudonymize")
    assert set(first["visits"]["person"]) == set(first["people"]["id"])
    assert set(first["people"]["id"]) == set(second["people"]["id"])
    assert first["people"]["id"].str.len_chars().unique().to_list() == [16]
    monkeypatch.setenv("MICROVEIL_KEY", "another key of the tests, as long as it is")
    assert not set(release(1, "pseudonymize")["people"]["id"]) & set(first["people"]["id"])


def test_random_numbers_differ_from_run_to_run_and_match_in_one() -> None:
    made = release(1, "renumber")
    assert set(made["people"]["id"]) == set(made["visits"]["person"]) == {1, 2}


def test_kept_keys_are_as_they_were() -> None:
    frames, _ = small()
    assert set(release(1, "keep")["people"]["id"]) <= set(frames["people"]["id"])
