from __future__ import annotations

from typing import ClassVar, Literal

import pytest

from microveil.errors import InputError
from microveil.measures.choosing import choose_measures, left_out, names_measures
from microveil.specs import Registry, Spec


class Plain(Spec):
    """A measure that is taken by default."""

    tag: ClassVar[str] = "name"
    name: Literal["plain"] = "plain"
    width: int = 1


class Large(Plain):
    """One that takes long."""

    name: Literal["large"] = "large"  # type: ignore[assignment]  # another kind
    most_cells: ClassVar[int] = 100


class Rare(Plain):
    """One that is taken on request."""

    name: Literal["rare"] = "rare"  # type: ignore[assignment]  # another kind
    by_default: ClassVar[bool] = False


class Told(Plain):
    """One that must be told something first."""

    name: Literal["told"] = "told"  # type: ignore[assignment]  # another kind
    column: str


class Stranger(Spec):
    """No measure of the registry."""

    tag: ClassVar[str] = "name"
    name: Literal["stranger"] = "stranger"


FIRST, SECOND = Registry[Plain]("name", Plain, Large), Registry[Plain]("name", Rare, Told)


def kinds(choice: object, n_cells: int | None = None) -> list[str]:
    return [one.kind() for one in choose_measures(choice, FIRST, SECOND, n_cells=n_cells)]  # type: ignore[arg-type]  # any choice


def test_the_default_leaves_out_the_rare_and_what_takes_too_long() -> None:
    assert kinds("default") == ["plain", "large"]
    assert kinds("default", 100) == ["plain", "large"]
    assert kinds("default", 101) == ["plain"]


def test_all_are_those_that_need_no_parameter_and_none_are_none() -> None:
    assert kinds("all", 101) == ["plain", "large", "rare"]
    assert kinds("none") == []
    assert kinds([]) == []


def test_names_and_specs_are_taken_as_they_stand_in_their_order() -> None:
    wide = Plain(width=3)
    assert kinds("rare") == ["rare"]
    assert kinds(["rare", wide]) == ["rare", "plain"]
    assert choose_measures([wide], FIRST) == [wide]
    assert choose_measures(wide, FIRST) == [wide]


def test_what_was_left_out_for_its_time_is_told() -> None:
    assert list(left_out("default", FIRST, SECOND, n_cells=101)) == ["large"]
    assert left_out("default", FIRST, n_cells=100) == {}
    assert left_out("all", FIRST, n_cells=101) == {}
    assert left_out(["plain"], FIRST, n_cells=101) == {}


def test_a_wrong_name_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(InputError, match=r"'plane'.*plain, large.*Did you mean 'plain'"):
        choose_measures(["plane"], FIRST)
    with pytest.raises(InputError, match="'all'"):
        choose_measures(["all"], FIRST)
    with pytest.raises(InputError, match="Stranger is not a measure"):
        choose_measures([Stranger()], FIRST)


def test_a_named_measure_that_must_be_told_more_says_what() -> None:
    with pytest.raises(InputError, match="column"):
        choose_measures(["told"], SECOND)


@pytest.mark.parametrize(
    ("choice", "named"),
    [("default", False), ("all", False), ("none", False), ("plain", True), (["all"], True)],
)
def test_words_name_no_measure(choice: str | list[str], named: bool) -> None:  # noqa: FBT001  a case
    assert names_measures(choice) is named
