from __future__ import annotations

import inspect

import pytest

from microveil import errors


def kinds() -> list[type[errors.MicroveilError]]:
    return [getattr(errors, name) for name in errors.__all__]


def test_every_error_is_ours_and_none_is_swallowed_by_a_validator() -> None:
    for kind in kinds():
        assert issubclass(kind, errors.MicroveilError)
        assert not issubclass(kind, ValueError)
        assert inspect.getdoc(kind)


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (errors.InputError, 2),
        (errors.SpecError, 2),
        (errors.RequirementNotMetError, 3),
        (errors.GoalNotReachedError, 3),
        (errors.InternalError, 1),
    ],
)
def test_the_exit_code_tells_whose_turn_it_is(kind: type[errors.MicroveilError], code: int) -> None:
    assert kind.exit_code == code


def test_all_problems_of_a_file_are_listed_at_once() -> None:
    assert str(errors.SpecError(["one"], "r.yaml")) == "r.yaml: one"
    several = errors.SpecError(["one", "two"])
    assert several.problems == ("one", "two")
    assert str(several) == "2 problems:\n  one\n  two"


def test_our_own_faults_ask_for_a_report() -> None:
    assert "please report it" in str(errors.InternalError("k fell."))


def test_hints_name_the_nearest_and_lists_stay_short() -> None:
    assert errors.did_you_mean("zzz", ["age"]) == ""
    assert errors.listing(map(str, range(20))).endswith("and 8 more")
    assert errors.quote([]) == ""
