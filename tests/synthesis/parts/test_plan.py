from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError, RolesError
from microveil.synthesis.parts.plan import SynthesisPlan, risky_records
from microveil.synthesis.parts.settings import SynthesisSettings
from microveil.tables import Table

FRAME = pl.DataFrame(
    {
        "home": [i // 2 for i in range(20)],
        "age": [20 + i % 5 for i in range(20)],
        "sex": ["f", "m"] * 10,
        "pay": [1.5 * i for i in range(20)],
        "w": [1.0] * 20,
    }
)


def plan(roles: dict[str, Any], **settings: Any) -> SynthesisPlan:
    return SynthesisPlan.of(SynthesisSettings.parse(settings), Table(FRAME, mv.Roles.parse(roles)))


def test_all_columns_are_drawn_but_groups_and_weights() -> None:
    found = plan({"household": "home", "weight": "w", "strata": ["sex"]}, weights="count")
    assert found.modelled == ("age", "sex", "pay")
    assert (found.group, found.weight, found.strata) == ("home", "w", ())
    assert not found.partial
    assert plan({"strata": ["sex"]}, by_strata=True).strata == ("sex",)


def test_columns_that_are_named_are_drawn_given_the_others() -> None:
    found = plan({"household": "home"}, columns=["pay"])
    assert found.partial
    assert found.modelled == ("pay",)
    assert found.given == ("age", "sex", "w")
    training = found.training_table(Table(FRAME))
    assert training.columns == ["age", "sex", "pay", "w"]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"columns": ["pay"], "n": 5}, "keeps all records"),
        (
            {"columns": ["pay"], "generator": {"generator": "mst", "epsilon": 1}},
            "draws all columns at once",
        ),
        ({"risk_threshold": 0.1}, "quasi-identifiers in the roles"),
    ],
)
def test_what_does_not_go_together_is_refused(settings: dict[str, Any], told: str) -> None:
    with pytest.raises((InputError, RolesError), match=told):
        plan({}, **settings)


def test_records_above_the_threshold_are_risky() -> None:
    table = Table({"q": ["a", "a", "b"]}, mv.Roles(quasi_identifiers=["q"]))
    settings = SynthesisSettings.parse({"risk_threshold": 0.6})
    assert risky_records(settings, table).tolist() == [False, False, True]
    assert risky_records(SynthesisSettings(), table).all()
