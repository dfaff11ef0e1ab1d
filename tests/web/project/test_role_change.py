"""A column has one role, wherever it is moved to."""

from __future__ import annotations

import pytest

from microveil.tables import Roles
from microveil.web.project.role_change import LISTS, role_of, with_role, with_single

ROLES = Roles(identifiers=["id"], quasi_identifiers=["age"], weight="w", household="h")


@pytest.mark.parametrize("role", [*LISTS, "none"])
@pytest.mark.parametrize("column", ["id", "age", "w", "h", "new"])
def test_any_column_can_be_moved_to_any_role(column: str, role: str) -> None:
    moved = with_role(ROLES, column, role)
    assert role_of(moved, column) == role
    assert sum(column in getattr(moved, name) for name in LISTS) <= 1


def test_a_special_task_takes_a_column_out_of_a_role_that_clashes() -> None:
    moved = with_single(ROLES, "household", "id")
    assert (moved.household, moved.identifiers) == ("id", ())
    assert with_single(ROLES, "entity", "id").identifiers == ("id",)
    assert with_single(ROLES, "weight", "").weight is None
