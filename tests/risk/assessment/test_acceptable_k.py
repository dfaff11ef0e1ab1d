from __future__ import annotations

import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.risk import acceptable_k

FRAME = {"sex": ["f"] * 8 + ["m"] * 8}
ROLES = mv.Roles(quasi_identifiers=["sex"])


@pytest.mark.parametrize(
    ("rule", "enough"),
    [(None, 10), ("petersburg", 10), ("scientific", 5), ("public", 11), ({1000: 3}, 3)],
)
def test_the_kind_of_release_decides_which_k_is_acceptable(rule: object, enough: int) -> None:
    found = mv.assess(FRAME, ROLES, acceptable_k=rule)  # type: ignore[arg-type]  # a case
    assert found.acceptable_k == enough
    assert found.acceptable is (enough <= 8)


def test_a_rule_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="Did you mean 'public'"):
        acceptable_k(10, "publik")
    with pytest.raises(InputError, match="at least one size"):
        acceptable_k(10, {})
