from __future__ import annotations

import polars as pl
import pytest

from microveil.errors import ColumnError, GoalNotReachedError, InputError, RolesError
from microveil.methods.parts.class_requirements import (
    further_models,
    keys_of,
    refuse_hopeless,
    refuse_strangers,
    refuse_too_few,
)
from microveil.privacy import KAnonymity, KMap, LDiversity
from microveil.tables import Roles, Table

FRAME = pl.DataFrame({"age": [1, 2, 3], "ill": ["x", "x", "y"], "who": [1, 1, 2]})


def table(**roles: object) -> Table:
    return Table(FRAME, Roles.parse(roles))


def test_keys_are_those_named_or_the_quasi_identifiers() -> None:
    assert keys_of(table(quasi_identifiers=["age"]), ["ill"], "step") == ("ill",)
    assert keys_of(table(quasi_identifiers=["age"]), (), "step") == ("age",)
    with pytest.raises(RolesError, match="Step 'step' needs keys"):
        keys_of(table(), (), "step")
    with pytest.raises(ColumnError, match="No column 'agee'"):
        keys_of(table(), ["agee"], "step")


def test_a_hierarchy_needs_a_key() -> None:
    refuse_strangers({"age": None}, ("age",), "step")
    with pytest.raises(ColumnError, match=r"'agee', which is not one .*Did you mean 'age'"):
        refuse_strangers({"agee": None}, ("age",), "step")


def test_one_class_needs_k_records() -> None:
    refuse_too_few(3, 3, "step")
    with pytest.raises(GoalNotReachedError, match="k = 4: the table has 3 records"):
        refuse_too_few(3, 4, "step")


def test_people_are_counted_as_a_model_of_their_own() -> None:
    models = (LDiversity(l=2, column="ill"),)
    assert further_models(table(), 3, models, ["age"]) == models
    with_people = table(entity="who", quasi_identifiers=["age"])
    assert further_models(with_people, 3, models) == (KAnonymity(k=3), *models)
    assert further_models(with_people, 1, models) == models


def test_a_population_cannot_be_looked_up_while_keys_change() -> None:
    with pytest.raises(InputError, match="'k_map' looks keys up in a population"):
        further_models(table(), 2, (KMap(k=2, population="people.csv"),), ["age"])


def test_what_one_class_of_all_breaks_no_classes_meet() -> None:
    sensitive = table(sensitive=["ill"])
    refuse_hopeless(sensitive, (LDiversity(l=2),))
    with pytest.raises(GoalNotReachedError, match="Not even a single class of all records"):
        refuse_hopeless(sensitive, (LDiversity(l=3),))
