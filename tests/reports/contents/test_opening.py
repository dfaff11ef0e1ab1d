from __future__ import annotations

from typing import Any

import pytest

import microveil as mv
from microveil.reports.contents.opening import opening

HOLDS = "2-anonymity holds against whoever knows q0"
BROKEN = "3-anonymity does not hold against whoever knows q0"


def release(k: int | None = 2, *, keys: int = 1) -> mv.Release:
    frame = {f"q{i}": ["a", "a", "b", "b"] for i in range(keys)}
    roles = mv.Roles(quasi_identifiers=list(frame))
    require = [] if k is None else [mv.KAnonymity(k=k)]
    return mv.run(mv.Recipe(roles=roles, require=require), frame)


def verdict(level: str, question: str = "linkability") -> dict[str, Any]:
    return {"level": level, "question": question, "sentence": "Half of the records are linked."}


@pytest.mark.parametrize(
    ("k", "verdicts", "sentence"),
    [
        (2, [], f"{HOLDS}."),
        (3, [], f"{BROKEN}."),
        (None, [], "Nothing was required of this release."),
        (
            2,
            [verdict("low"), verdict("unknown", "inference")],
            f"{HOLDS}; attacks on the release found a low risk (inference could not be judged).",
        ),
        (
            3,
            [verdict("low"), verdict("high")],
            f"{BROKEN}, and half of the records are linked.",
        ),
    ],
)
def test_requirements_and_attacks_are_told_in_one_breath(
    k: int | None, verdicts: list[dict[str, Any]], sentence: str
) -> None:
    assert opening(release(k), verdicts) == sentence


def test_what_holds_and_what_an_attack_finds_are_both_true() -> None:
    words = opening(release(), [verdict("medium")])
    assert words.startswith("2-anonymity holds against whoever knows q0; but half of the records")
    assert "Both are true" in words


def test_many_keys_are_counted() -> None:
    assert "q0 and q1" in opening(release(keys=2), [])
    assert "the 7 quasi-identifiers" in opening(release(keys=7), [])
