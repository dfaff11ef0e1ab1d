from __future__ import annotations

import pytest

import microveil as mv

ROLES = mv.Roles(quasi_identifiers=["a"])


def test_an_attack_needs_two_releases_their_roles_and_people() -> None:
    one = {"id": [1], "a": [0]}
    with pytest.raises(mv.InputError, match="at least two"):
        mv.intersection_attack([one], ROLES, person="id")
    with pytest.raises(mv.InputError, match="one for each"):
        mv.intersection_attack([one, one], [ROLES], person="id")
    with pytest.raises(mv.ColumnError, match="who"):
        mv.intersection_attack([one, one], ROLES, person="who")
