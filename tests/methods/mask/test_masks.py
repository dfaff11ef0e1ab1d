from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.methods.mask.cases import facts, masked


def test_a_pattern_without_placeholders_is_fixed_text() -> None:
    hidden = "XXX.XXX.XXX.XXX"
    assert masked(["10.0.0.1", " ", None], pattern=hidden) == [hidden, hidden, None]


@pytest.mark.parametrize(
    ("pattern", "value", "result"),
    [
        ("??-XXX", "AB123", "AB-XXX"),
        ("X??X", "abcd", "XbcX"),
        ("????", "ab", "ab**"),
        (r"\??", "ab", "?b"),
        (r"\\?", "ab", r"\b"),
        ("?", "éa", "é"),
        ("", "secret", None),
    ],
)
def test_a_pattern_keeps_characters_at_their_place(
    pattern: str, value: str, result: str | None
) -> None:
    assert masked([value], pattern=pattern) == [result]


@given(st.text(min_size=1), st.text(alphabet="?X.-", min_size=1))
def test_a_pattern_agrees_with_a_walk_over_its_places(value: str, pattern: str) -> None:
    walk = [
        (value[place] if place < len(value) else "*") if sign == "?" else sign
        for place, sign in enumerate(pattern)
    ]
    assert masked([value], pattern=pattern) == ["".join(walk)]


@pytest.mark.parametrize(
    ("how", "result"),
    [
        ({"keep_start": 2}, ["An*****", "**", "**"]),
        ({"keep_end": 2}, ["*****te", "**", "**"]),
        ({"keep_start": 1, "keep_end": 1}, ["A*****e", "**", "**"]),
        ({"keep_start": 0}, ["*******", "**", "**"]),
        ({"keep_start": 2, "keep_length": False}, ["An****", "****", "****"]),
        ({"keep_start": 2, "char": "$"}, ["An$$$$$", "$$", "$$"]),
    ],
)
def test_only_the_ends_of_a_text_stay(how: dict[str, Any], result: list[str]) -> None:
    assert masked(["Annette", "Al", "Øy"], **how) == result


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="*"), min_size=1),
    st.integers(0, 4),
    st.integers(0, 4),
)
def test_no_text_stays_wholly_visible(value: str, start: int, end: int) -> None:
    n_hidden = len(value) - start - end
    shown = value[:start] + "*" * n_hidden + value[len(value) - end :]
    after = masked([value], keep_start=start, keep_end=end)
    assert after == [shown if n_hidden > 0 else "*" * len(value)]


@pytest.mark.parametrize(
    ("preset", "keep", "value", "result"),
    [
        ("ip", None, "192.168.7.9", "*.*.*.*"),
        ("ip", "network", "192.168.7.9", "192.168.*.*"),
        ("ip", None, "2001:db8:85a3::8a2e:370:7334", "*:*:*:*:*:*:*:*"),
        ("ip", "network", "2001:db8:85a3::8a2e:370:7334", "2001:db8:85a3:*:*:*:*:*"),
        ("ip", "network", "::1", "0:0:0:*:*:*:*:*"),
        ("phone", None, "+34 612 345 678", "+** *** *** ***"),
        ("phone", "area", "(212) 555-1234", "(212) ***-****"),
        ("card", None, "4000-1234-5678-9010", "****-****-****-9010"),
        ("card", "nothing", "4000123456789010", "****************"),
        ("email", None, "ann.lee@example.org", "***@***"),
        ("email", "domain", " ann.lee@example.org ", "***@example.org"),
    ],
)
def test_a_preset_knows_its_kind(preset: str, keep: str | None, value: str, result: str) -> None:
    assert masked([value, None], preset=preset, keep=keep) == [result, None]


@pytest.mark.parametrize(
    ("preset", "unfit"),
    [
        ("ip", ["256.1.1.1", "1.2.3", "1:2:3", "home", " "]),
        ("phone", ["12345", "ask at the desk", "1" * 16]),
        ("card", ["1234", "4000 x234 5678 9010"]),
        ("email", ["ann", "ann@", "a b@example.org", "a@b@c.org"]),
    ],
)
def test_what_does_not_fit_a_preset_is_hidden_wholly_and_counted(
    preset: str, unfit: list[str]
) -> None:
    assert masked(unfit, preset=preset) == ["****"] * len(unfit)
    assert facts([*unfit, None], preset=preset)["n_unfit"] == {"x": len(unfit)}
