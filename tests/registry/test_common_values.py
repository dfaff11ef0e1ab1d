from __future__ import annotations

import polars as pl

import microveil as mv

ROLES = mv.Roles(quasi_identifiers=["a"], sensitive=["s"])


def attack(first: str, second: str) -> mv.Composition:
    """Two releases of four people in one class each, by the letters of their values."""
    frames = [
        pl.DataFrame({"id": range(len(one)), "a": [0] * len(one), "s": list(one)})
        for one in (first, second)
    ]
    return mv.intersection_attack(frames, ROLES, person="id", k=2)


def test_one_value_in_common_gives_it_away() -> None:
    (found,) = attack("flu-hiv".replace("-", ""), "fxyzyz").values
    assert (found.least, found.n_disclosed, found.n_changed) == (1, 6, 6)
    assert not found.to_dict()["m_invariant"]
    assert "one value of 's' in common" in attack("fluhiv", "fxyzyz").sentence()


def test_the_same_values_are_m_invariant() -> None:
    (found,) = attack("abcd", "dcba").values
    assert (found.least, found.n_disclosed, found.n_changed) == (4, 0, 0)


def test_a_class_of_one_value_discloses_alone_and_not_by_the_other_release() -> None:
    (found,) = attack("aaaa", "abcd").values
    assert (found.least, found.n_disclosed) == (1, 0)


def test_too_few_values_break_a_requirement_of_m() -> None:
    check = attack("abxy", "abzw").check(mv.AcrossReleases(k=2, m=3), 4)
    assert not check.holds
    assert "2 sensitive values in common" in check.sentence()
    assert attack("abxy", "abzw").check(mv.AcrossReleases(k=2, m=2), 4).holds
