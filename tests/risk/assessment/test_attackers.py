from __future__ import annotations

import microveil as mv
from microveil.risk.assessment.attackers import attackers_in, attackers_of
from microveil.tables import as_table

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


def test_risk_compare_and_a_release_say_the_same() -> None:
    roles = mv.Roles(quasi_identifiers=["sex"])
    assessed = mv.assess(PEOPLE, roles).to_dict()["attackers"]
    compared = mv.compare(PEOPLE, PEOPLE, roles, measures="none").to_dict()["attackers"]
    released = mv.run(mv.Recipe(roles=roles, undeclared="drop"), PEOPLE).attackers.to_dict()
    assert assessed == compared["before"] == compared["after"] == released


def test_a_table_without_keys_has_no_attackers() -> None:
    assert attackers_in(as_table(PEOPLE, mv.Roles()), "category").all == ()
