from __future__ import annotations

import microveil as mv
from microveil.release.attackers import attackers_in
from microveil.tables import as_table

PEOPLE = {"sex": ["f", "f", "m"], "w": [10, 10, 10]}


def test_risk_compare_and_a_release_say_the_same() -> None:
    roles = mv.Roles(quasi_identifiers=["sex"])
    assessed = mv.assess(PEOPLE, roles).to_dict()["attackers"]
    compared = mv.compare(PEOPLE, PEOPLE, roles, measures="none").to_dict()["attackers"]
    released = mv.run(mv.Recipe(roles=roles, undeclared="drop"), PEOPLE).attackers.to_dict()
    assert assessed == compared["before"] == compared["after"] == released


def test_a_table_without_keys_has_no_attackers() -> None:
    assert attackers_in(as_table(PEOPLE, mv.Roles()), "category").all == ()
