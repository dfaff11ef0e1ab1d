"""What is offered for a requirement that fails."""

from __future__ import annotations

from microveil.app.advising.mending import mends_for
from microveil.privacy import KAnonymity, LDiversity
from microveil.recipes import Recipe
from microveil.tables import Roles

ROLES = Roles(quasi_identifiers=("age",), sensitive=("disease",))
RECIPE = Recipe(roles=ROLES, require=(KAnonymity(k=4), LDiversity(l=2, column="disease")))


def test_k_anonymity_is_fixed_by_suppression_first() -> None:
    steps = list(mends_for("k_anonymity", RECIPE))
    assert [step.kind() for step in steps] == ["local_suppression", "suppress_records", "mondrian"]
    assert all(step.k == 4 for step in steps)  # type: ignore[attr-defined]


def test_sensitive_values_need_classes_formed_for_them() -> None:
    steps = list(mends_for("l_diversity", RECIPE))
    assert steps
    for step in steps:
        assert RECIPE.models[1] in step.models  # type: ignore[attr-defined]
        assert step.k == 4  # type: ignore[attr-defined]


def test_what_no_step_can_fix_is_offered_none() -> None:
    assert list(mends_for("l_diversity", Recipe(require=RECIPE.require))) == []
