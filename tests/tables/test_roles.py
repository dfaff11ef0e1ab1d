from __future__ import annotations

import pytest

import microveil as mv


def test_a_column_has_one_role_only() -> None:
    with pytest.raises(mv.SpecError, match="'age' appears both in identifiers and sensitive"):
        mv.Roles.parse({"identifiers": ["age"], "sensitive": ["age"]})


def test_a_column_may_be_known_to_some_and_sought_by_others() -> None:
    roles = mv.Roles(quasi_identifiers=["age", "pay"], sensitive=["pay"])
    assert roles.of("pay") == ("quasi_identifiers", "sensitive")
    assert roles.named == ("age", "pay")
    assert roles.without(["pay"]) == mv.Roles(quasi_identifiers=["age"])


def test_a_column_named_twice_in_one_role_is_refused() -> None:
    with pytest.raises(mv.SpecError, match="twice among sensitive"):
        mv.Roles(sensitive=["a", "a"])


def test_an_identifier_is_no_weight() -> None:
    with pytest.raises(mv.SpecError, match="cannot be weight and identifiers"):
        mv.Roles(identifiers=["w"], weight="w")


def test_a_person_s_id_may_tell_entities_apart() -> None:
    assert mv.Roles(identifiers=["id"], entity="id").entity == "id"


def test_a_lone_name_is_a_list_of_one() -> None:
    assert mv.Roles.parse({"quasi_identifiers": "age"}).quasi_identifiers == ("age",)


def test_roles_of_columns_that_are_gone_go_too() -> None:
    roles = mv.Roles(
        quasi_identifiers=["a", "b"], weight="w", strata=["s"], scenarios={"x": ["a"], "y": ["b"]}
    )
    left = roles.without(["a", "w"])
    assert left.quasi_identifiers == ("b",)
    assert left.weight is None
    assert dict(left.scenarios) == {"y": ("b",)}


def test_an_unknown_column_is_named_with_a_hint() -> None:
    with pytest.raises(
        mv.ColumnError, match=r"No column 'agee'.*Did you mean 'age'\? Columns: age"
    ):
        mv.Table({"age": [1], "sex": ["f"]}, mv.Roles(quasi_identifiers=["agee"]))
