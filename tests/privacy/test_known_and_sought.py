"""Columns that are quasi-identifier and sensitive: known to some intruders, sought by others."""

from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError

FRAME = pl.DataFrame(
    {
        "zip": ["1", "1", "1", "2", "2", "2"],
        "pay": [10, 10, 20, 30, 30, 30],
    }
)
BOTH = mv.Roles(quasi_identifiers=["zip", "pay"], sensitive=["pay"])
APART = mv.Roles(quasi_identifiers=["zip"], sensitive=["pay"])

MODELS = [
    mv.LDiversity(l=2),
    mv.LDiversity(l=2, kind="entropy"),
    mv.TCloseness(t=0.3),
    mv.TCloseness(t=0.3, distance="ordered"),
    mv.BetaLikeness(beta=1),
    mv.DeltaDisclosure(delta=2),
    mv.AlphaKAnonymity(alpha=0.7, k=1),
]


@pytest.mark.parametrize("model", MODELS)
def test_what_is_sought_is_judged_by_the_other_keys(model: mv.PrivacyModel) -> None:
    both, apart = model.check(FRAME, BOTH), model.check(FRAME, APART)
    assert both.achieved == apart.achieved
    assert both.n_broken == apart.n_broken
    assert both.holds == apart.holds


def test_class_sizes_count_it_as_a_key() -> None:
    assert mv.KAnonymity(k=2).check(FRAME, BOTH).achieved == 1
    assert mv.KAnonymity(k=2).check(FRAME, APART).achieved == 3


def test_what_a_table_reaches_and_gives_away_goes_by_the_other_keys() -> None:
    both, apart = (mv.assess(FRAME, roles) for roles in (BOTH, APART))
    assert both.models["l_diversity"] == apart.models["l_diversity"]
    assert both.models["t_closeness"] == apart.models["t_closeness"]
    scores = [mv.AttributeDisclosure().measure(FRAME, roles=roles) for roles in (BOTH, APART)]
    assert scores[0].value == scores[1].value == 0.5
    assert scores[0].parts == scores[1].parts


def test_a_missing_key_is_read_the_same_way_by_the_other_keys() -> None:
    frame = pl.DataFrame({"zip": ["1", "1", None, "2"], "pay": [10, 20, 10, 30]})
    for missing in ("category", "wildcard"):
        found = [
            mv.LDiversity(l=2).verify(mv.Classes.of(mv.Table(frame, roles), missing=missing))
            for roles in (BOTH, APART)
        ]
        assert found[0].achieved == found[1].achieved


def test_a_recipe_may_require_both_promises() -> None:
    recipe = mv.Recipe(
        roles=BOTH,
        steps=[mv.Generalize(column="pay", hierarchy={"hierarchy": "types"}, level=2)],
        require=[mv.KAnonymity(k=3), mv.TCloseness(t=1, column="pay")],
    )
    release = mv.run(recipe, FRAME)
    assert release.holds


@pytest.mark.parametrize(
    "step",
    [
        mv.Mondrian(k=2, models=[mv.LDiversity(l=2)]),
        mv.OptimalGeneralization(models=[mv.LDiversity(l=2)]),
        mv.LocalRecoding(k=2, models=[mv.LDiversity(l=2)]),
    ],
)
def test_a_step_cannot_coarsen_what_it_promises_about(step: mv.Method) -> None:
    with pytest.raises(InputError, match="is a key as well"):
        step.protect(FRAME, roles=BOTH)
    named = step.model_copy(update={"columns": ("zip",)})
    named.protect(FRAME, roles=BOTH)  # the other keys alone
