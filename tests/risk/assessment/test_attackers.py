from __future__ import annotations

import microveil as mv
from microveil.risk.assessment.attackers import attackers_of

PEOPLE = {"sex": ["f", "f", "m"], "w": [10, 10, 10]}


def test_the_three_attackers_are_those_of_the_measure() -> None:
    roles = mv.Roles(quasi_identifiers=["sex"], weight="w")
    score = mv.ReidentificationRisk().measure(PEOPLE, roles=roles)
    found = attackers_of({"reidentification_risk": score}).to_dict()
    assert list(found) == ["prosecutor", "journalist", "marketer"]
    for name, said in found.items():
        assert said.items() <= score.parts[name].items()
    assert found["journalist"]["highest"] < found["prosecutor"]["highest"] == 1
    assert set(found["marketer"]) == {"average"}
