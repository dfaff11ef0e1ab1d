from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.linked.links import Link
from microveil.linked.synthesis.rules import check_rules, kept_rules
from microveil.linked.synthesis.settings import TableRule
from microveil.linked.synthesis.structure import Structure

FRAMES = {
    "people": pl.DataFrame({"id": [1, 2], "end": [5, None]}),
    "visits": pl.DataFrame({"who": [1, 1, 2], "day": [4, 6, 9]}),
}
STRUCTURE = Structure.of(FRAMES, [Link.parse("visits.who -> people.id")], "people", ())


def rule(text: str) -> TableRule:
    return TableRule.parse(text)


def test_a_missing_side_keeps_a_rule() -> None:
    above = STRUCTURE.rows_above(FRAMES, "visits")
    kept = kept_rules([rule("visits.day <= people.end")], "visits", FRAMES["visits"], FRAMES, above)
    assert kept.tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("visits.day <= people.end", "1 row of the data breaks it"),
        ("people.end >= visits.day", "Write the lower table on the left"),
        ("visits.day <= wards.end", "is not drawn"),
        ("visits.days <= people.end", "No column 'days'"),
    ],
)
def test_a_rule_that_cannot_hold_is_said(text: str, message: str) -> None:
    with pytest.raises(mv.InputError, match=message):
        check_rules([rule(text)], FRAMES, STRUCTURE)
