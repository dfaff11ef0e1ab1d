from __future__ import annotations

import math

import pytest
from hypothesis import given

from microveil.privacy.beta_likeness import BetaLikeness, enhanced_beta
from microveil.privacy.parts.distribution import distribution
from microveil.tables import Roles
from tests.privacy import naive


def gains(table: list[naive.Row]) -> list[dict[float, float]]:
    """Of each class, the relative gain of each value by its share in the table."""
    domain = naive.domain_of(table)
    whole = naive.shares([row[-1] for row in table], domain)
    return [
        {
            i + p: (q - p) / p
            for i, (p, q) in enumerate(zip(whole, naive.shares(values, domain), strict=True))
        }
        for values in naive.groups(table).values()
    ]


@given(naive.rows)
def test_basic_bounds_the_gain_of_every_value(table: list[naive.Row]) -> None:
    classes = naive.classes_of(table)
    check = BetaLikeness(beta=0.7).verify(classes)
    largest = [max(found.values()) for found in gains(table)]
    by_class = dict(zip(naive.groups(table), [max(gain, 0) for gain in largest], strict=True))
    assert naive.reached(BetaLikeness(beta=0.7), classes) == pytest.approx(by_class, abs=1e-12)
    assert check.achieved == pytest.approx(max(*largest, 0), abs=1e-12)
    assert len(check.broken_in) == sum(gain > 0.7 + 1e-9 for gain in largest)


@given(naive.rows)
def test_enhanced_bounds_frequent_values_more_tightly(table: list[naive.Row]) -> None:
    classes = naive.classes_of(table)
    check = BetaLikeness(beta=2, kind="enhanced").verify(classes)
    domain = naive.domain_of(table)
    whole = naive.shares([row[-1] for row in table], domain)
    bounds = [min(2, -math.log(p)) for p in whole]
    broken = [
        any(g > b + 1e-9 for g, b in zip(found.values(), bounds, strict=True))
        for found in gains(table)
    ]
    assert len(check.broken_in) == sum(broken)
    assert check.holds == (check.achieved <= 2 + 1e-9)


@given(naive.rows)
def test_the_smallest_enhanced_beta_is_just_enough(table: list[naive.Row]) -> None:
    classes = naive.classes_of(table)
    beta = enhanced_beta(distribution(classes, "s"))
    if beta is None:
        assert not BetaLikeness(beta=1e9, kind="enhanced").verify(classes).holds
    else:
        assert BetaLikeness(beta=max(beta, 1e-9), kind="enhanced").verify(classes).holds
        if beta > 1e-3:
            assert not BetaLikeness(beta=beta * 0.999, kind="enhanced").verify(classes).holds


def test_one_value_everywhere_tells_nothing() -> None:
    for kind in ("basic", "enhanced"):
        model = BetaLikeness(beta=0.1, column="s", kind=kind)
        assert model.check({"q": [1, 2], "s": [5, 5]}, Roles(quasi_identifiers=["q"])).holds


def test_it_is_written_as_it_is_read() -> None:
    raw = {"model": "beta_likeness", "beta": 2.0, "kind": "enhanced"}
    assert BetaLikeness.parse(raw).to_dict() == raw
