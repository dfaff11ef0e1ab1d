from __future__ import annotations

from microveil.plots.marginals import share_rows
from microveil.plots.regrouping import regroup
from microveil.tables import Table


def test_originals_are_counted_under_the_label_they_were_released_as() -> None:
    before, after = Table({"v": ["a", "b"]}), Table({"v": ["{a, b}", "{a, b}"]})
    sides = {(row["value"], row["side"]) for row in share_rows(before, after, "v")}

    assert sides == {("{a, b}", "original"), ("{a, b}", "protected")}


def test_a_value_with_several_labels_or_none_stays() -> None:
    before = Table({"v": ["a", "a", "b", "c"]})
    after = Table({"v": ["{a, b}", "a", "{a, b}", None]})
    assert regroup(before, after, "v").to_list() == ["a", "a", "{a, b}", "c"]


def test_rows_that_cannot_be_paired_stay() -> None:
    before, after = Table({"v": ["a", "b"]}), Table({"v": ["{a, b}"]})
    assert regroup(before, after, "v").to_list() == ["a", "b"]
