from __future__ import annotations

from typing import Any

import pytest

import microveil as mv
from microveil.tabulation.tabulation import as_tabulations


def test_a_table_says_what_it_shows() -> None:
    assert mv.Tabulation(by=["a"]).title == "count by a"
    assert mv.Tabulation(by=["a", "b"], value="v").title == "sum of v by a, b"
    assert mv.Tabulation(by=["a"], name="mine").title == "mine"


def test_tables_of_the_same_measure_are_one_family() -> None:
    one, other = mv.Tabulation(by=["a"]), mv.Tabulation(by=["b"])
    assert one.family == other.family
    assert one.family != mv.Tabulation(by=["a"], value="v").family


def test_plain_data_are_tables_too() -> None:
    assert as_tabulations({"by": ["a"]}) == (mv.Tabulation(by=["a"]),)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"by": ["a"], "statistic": "sum"}, "needs a `value`"),
        ({"by": ["a"], "hierarchies": {"b": {"hierarchy": "digits"}}}, "not in `by`"),
        ({"by": []}, "by"),
    ],
)
def test_what_does_not_fit_is_refused(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(mv.SpecError, match=sentence):
        mv.Tabulation(**parameters)
