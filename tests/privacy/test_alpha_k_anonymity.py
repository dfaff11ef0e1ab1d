from __future__ import annotations

import pytest
from hypothesis import given

from microveil.privacy.alpha_k_anonymity import AlphaKAnonymity
from microveil.tables import Roles
from tests.privacy import naive


@given(naive.rows)
def test_no_value_has_a_larger_share_and_no_class_fewer_records(table: list[naive.Row]) -> None:
    groups = naive.groups(table)
    check = AlphaKAnonymity(alpha=0.5, k=3).verify(naive.classes_of(table))
    domain = naive.domain_of(table)
    largest = {keys: max(naive.shares(values, domain)) for keys, values in groups.items()}
    assert check.achieved == max(largest.values())
    assert naive.reached(AlphaKAnonymity(alpha=0.5, k=3), naive.classes_of(table)) == largest
    broken = [v for keys, v in groups.items() if largest[keys] > 0.5 or len(v) < 3]
    assert (len(check.broken_in), check.n_broken) == (len(broken), sum(map(len, broken)))
    assert check.parts["k"] == min(map(len, groups.values()))


@given(naive.rows)
def test_only_chosen_values_are_bounded_when_some_are_named(table: list[naive.Row]) -> None:
    check = AlphaKAnonymity(alpha=0.4, k=1, value=[10, "35"]).verify(naive.classes_of(table))
    shares = [max(naive.shares(values, [10, 35])) for values in naive.groups(table).values()]
    assert check.achieved == max(shares)
    assert len(check.broken_in) == sum(share > 0.4 for share in shares)


def test_a_class_too_small_is_told_apart_from_a_share_too_large() -> None:
    frame = {"q": [1, 1, 2], "s": ["x", "y", "x"]}
    model = AlphaKAnonymity(alpha=1, k=2, column="s")
    check = model.check(frame, Roles(quasi_identifiers=["q"]))
    expected = "required a share of at most 1 and 2 records, reached 1 and 1"
    assert not check.holds
    assert expected in check.sentence()


@pytest.mark.parametrize(
    ("value", "text"), [("x", ("x",)), (3, ("3",)), ([True, 2.5], ("true", "2.5"))]
)
def test_values_may_be_written_as_they_are(value: object, text: tuple[str, ...]) -> None:
    model = AlphaKAnonymity(alpha=0.5, k=2, value=value)
    assert model.value == text
    assert AlphaKAnonymity.parse(model.to_dict()) == model


def test_booleans_are_found_by_their_text() -> None:
    frame = {"s": [True, True, False, None]}
    model = AlphaKAnonymity(alpha=0.4, k=1, column="s", value=True)
    assert model.check(frame, Roles()).achieved == 0.5
