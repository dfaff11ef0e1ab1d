from __future__ import annotations

import json

import pytest
from hypothesis import given

from microveil.privacy.alpha_k_anonymity import AlphaKAnonymity
from microveil.privacy.average_risk import AverageRisk
from microveil.privacy.beta_likeness import BetaLikeness
from microveil.privacy.delta_disclosure import DeltaDisclosure
from microveil.privacy.l_diversity import LDiversity
from microveil.privacy.parts.reached import strictest_parameters
from microveil.privacy.t_closeness import TCloseness
from microveil.tables import Classes, Missing, Roles, Table
from tests.privacy import naive


@pytest.mark.parametrize("missing", ["category", "wildcard"])
@given(table=naive.rows)
def test_it_says_what_the_models_reach(missing: Missing, table: list[naive.Row]) -> None:
    classes = naive.classes_of(table, missing)
    found = strictest_parameters(classes)
    models = {
        ("l_diversity", "distinct"): LDiversity(l=2),
        ("l_diversity", "entropy"): LDiversity(l=2, kind="entropy"),
        ("t_closeness", "equal"): TCloseness(t=0.5),
        ("t_closeness", "ordered"): TCloseness(t=0.5, distance="ordered"),
        ("alpha_k_anonymity", None): AlphaKAnonymity(alpha=0.5, k=2),
        ("beta_likeness", "basic"): BetaLikeness(beta=1),
        ("delta_disclosure", None): DeltaDisclosure(delta=1),
    }
    for (model, kind), spec in models.items():
        value = found[model]["s"] if kind is None else found[model]["s"][kind]
        assert value == spec.verify(classes).to_dict()["achieved"]
    assert found["k_anonymity"] == classes.k
    assert found["average_risk"] == AverageRisk(threshold=1).verify(classes).achieved


def test_it_is_plain_data_even_where_no_parameter_would_do() -> None:
    table = Table({"q": [1, 2], "s": ["x", "y"]}, Roles(quasi_identifiers=["q"], sensitive=["s"]))
    found = strictest_parameters(Classes.of(table))
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["delta_disclosure"] == {"s": None}
    assert found["beta_likeness"]["s"]["enhanced"] is None
    assert "ordered" not in found["t_closeness"]["s"]


def test_columns_may_be_named_and_an_empty_table_reaches_nothing() -> None:
    frame = {"q": [1, 1], "s": [1, 2], "r": [1, 1]}
    roles = Roles(quasi_identifiers=["q"], sensitive=["s"])
    found = strictest_parameters(Classes.of(Table(frame, roles)), ["r"])
    assert list(found["l_diversity"]) == ["r"]
    empty = strictest_parameters(Classes.of(Table({"q": [], "s": []}, roles)))
    assert empty == {"k_anonymity": 0, "average_risk": 0.0}
