from __future__ import annotations

import math

import pytest
from hypothesis import given

from microveil.privacy.delta_disclosure import DeltaDisclosure
from microveil.tables import Roles
from tests.privacy import naive


@given(naive.rows)
def test_every_value_of_the_table_is_as_likely_in_every_class(table: list[naive.Row]) -> None:
    domain = naive.domain_of(table)
    whole = naive.shares([row[-1] for row in table], domain)
    changes = {
        keys: max(
            abs(math.log2(q / p)) if q else math.inf
            for p, q in zip(whole, naive.shares(values, domain), strict=True)
        )
        for keys, values in naive.groups(table).items()
    }
    model, classes = DeltaDisclosure(delta=0.8), naive.classes_of(table)
    assert naive.reached(model, classes) == pytest.approx(changes, abs=1e-12)
    check = model.verify(classes)
    assert check.achieved == pytest.approx(max(changes.values()), abs=1e-12)
    assert len(check.broken_in) == sum(change >= 0.8 - 1e-9 for change in changes.values())


def test_an_absent_value_breaks_it_for_every_delta_and_json_can_say_so() -> None:
    frame = {"q": [1, 1, 2, 2], "s": ["x", "y", "x", "x"]}
    model = DeltaDisclosure(delta=1000, column="s")
    check = model.check(frame, Roles(quasi_identifiers=["q"]))
    assert (check.achieved, check.n_broken) == (math.inf, 2)
    assert check.to_dict()["achieved"] is None


def test_the_bound_itself_is_too_much() -> None:
    frame = {"q": [1, 1, 2, 2, 2, 2], "s": [0, 1, 0, 1, 1, 1]}  # ½ against ⅓
    roles = Roles(quasi_identifiers=["q"])
    bound = math.log2(1.5)
    assert not DeltaDisclosure(delta=bound, column="s").check(frame, roles).holds
    assert DeltaDisclosure(delta=bound + 1e-9, column="s").check(frame, roles).holds
