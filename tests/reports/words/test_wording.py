from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from microveil.reports.words.wording import describe_value, percent


@given(st.floats(0, 1))
def test_only_nothing_is_shown_as_nothing_and_only_all_as_all(share: float) -> None:
    words = percent(share)

    assert (words == "0%") == (share == 0)
    assert (words == "100%") == (share == 1)


def test_values_are_shown_by_the_unit_in_their_name() -> None:
    assert describe_value("range_share", 0.1) == "10%"
    assert describe_value("n_changed", 1234) == "1,234"
    assert describe_value("correlated", value=True) == "yes"
    assert describe_value("top", None) == "none"
    assert describe_value("columns", ["a", "b"]) == "a, b"
    assert describe_value("n_changed", {"a": 1, "b": 2}) == "a: 1; b: 2"
