from __future__ import annotations

import polars as pl

import microveil as mv

ROLES = mv.Roles(quasi_identifiers=["a"])


def test_nothing_before_and_nobody_in_common_are_said() -> None:
    assert "no earlier release" in mv.Composition(5, None).sentence()
    one = pl.DataFrame({"id": [1, 2], "a": [0, 0]})
    found = mv.intersection_attack([one, one.with_columns(pl.col("id") + 5)], ROLES, person="id")
    assert "Nobody is in this release" in found.sentence()
    assert found.holds
    assert found.check(mv.AcrossReleases(k=5), 2).holds


def test_a_composition_is_plain_data_and_shows_itself() -> None:
    one = pl.DataFrame({"id": [1, 2, 3], "a": [0, 0, 1]})
    found = mv.intersection_attack([one, one], ROLES, person="id", k=2)
    plain = found.to_dict()
    assert (plain["n_below"], plain["n_unique"], plain["smallest"]) == (1, 1, 1)
    assert plain["pairs"][0]["n_people"] == 3
    assert "Releases together" in repr(found)
    check = found.check(mv.AcrossReleases(k=2), 3)
    assert (check.n_broken, check.n_records, check.achieved) == (1, 3, 1.0)
