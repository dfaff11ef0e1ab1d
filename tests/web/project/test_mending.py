"""What is offered for a requirement that fails."""

from __future__ import annotations

from microveil.privacy import KAnonymity, LDiversity
from microveil.recipes import Recipe
from microveil.tables import Roles
from microveil.web.project.mending import mends_for
from microveil.web.project.releasing import CheckView

ROLES = Roles(quasi_identifiers=("age",), sensitive=("disease",))
RECIPE = Recipe(roles=ROLES, require=(KAnonymity(k=4), LDiversity(l=2, column="disease")))


def _check(model: str) -> CheckView:
    return CheckView(model=model, holds=False, sentence="", required=4)


def test_k_anonymity_is_fixed_by_suppression_first() -> None:
    steps = list(mends_for(_check("k_anonymity"), RECIPE))
    assert [step.kind() for step in steps] == ["local_suppression", "suppress_records", "mondrian"]
    assert all(step.k == 4 for step in steps)  # type: ignore[attr-defined]


def test_sensitive_values_need_classes_formed_for_them() -> None:
    steps = list(mends_for(_check("l_diversity"), RECIPE))
    assert steps
    for step in steps:
        assert RECIPE.models[1] in step.models  # type: ignore[attr-defined]
        assert step.k == 4  # type: ignore[attr-defined]


def test_what_no_step_can_fix_is_offered_none() -> None:
    assert list(mends_for(_check("l_diversity"), Recipe(require=RECIPE.require))) == []
