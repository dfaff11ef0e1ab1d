from __future__ import annotations

import datetime as dt

import polars as pl
import pytest

import microveil as mv
from microveil.synthesis.parts.constraints import Constraints
from microveil.synthesis.parts.rules import Rule, mend_all

PEOPLE = pl.DataFrame(
    {
        "age": [9, 40, None],
        "marital-status": ["wed", "wed", "wed"],
        "born": [dt.date(2015, 1, 1), dt.date(1984, 1, 1), None],
    }
)


def test_what_follows_is_set_where_the_condition_holds_and_only_there() -> None:
    rule = Rule(when="age < 18", then={"marital-status": "single"})
    assert rule.find_broken(PEOPLE).to_list() == [True, False, False]
    mended = rule.mend(PEOPLE)
    assert mended["marital-status"].to_list() == ["single", "wed", "wed"]
    assert not rule.find_broken(mended).any()


def test_names_in_quotes_dates_and_missing_values_can_be_set() -> None:
    rule = Rule(when="\"marital-status\" = 'wed'", then={"born": "1970-02-03", "age": None})
    mended = rule.mend(PEOPLE)
    assert mended["born"].to_list() == [dt.date(1970, 2, 3)] * 3
    assert mended["age"].null_count() == 3
    assert not rule.find_broken(mended).any()


def test_a_condition_on_a_missing_cell_is_not_broken() -> None:
    assert Rule(must="age > 10").find_broken(PEOPLE).to_list() == [True, False, False]


def test_one_rule_may_make_another_speak() -> None:
    first = Rule(when="b = 1", then={"c": 1})
    second = Rule(when="a = 1", then={"b": 1})
    frame = pl.DataFrame({"a": [1], "b": [0], "c": [0]})
    assert mend_all(frame, [first, second], ()).row(0) == (1, 1, 1)


def test_a_rule_must_say_something_and_be_readable() -> None:
    with pytest.raises(mv.InputError, match=r"`then` or `must`"):
        Rule.parse({"when": "age < 18"})
    with pytest.raises(mv.InputError, match="as in SQL"):
        Constraints.of(PEOPLE, [Rule(must="age <")], (), (), ())
    with pytest.raises(mv.InputError, match="No column 'agee'"):
        Constraints.of(PEOPLE, [Rule(must="agee < 3")], (), (), ())
    with pytest.raises(mv.InputError, match="Rule 1 cannot be applied"):
        Constraints.of(PEOPLE, [Rule(must="age like 'x%'")], (), (), ())
