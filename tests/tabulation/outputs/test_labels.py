from __future__ import annotations

from microveil.tabulation.outputs.labels import Range, is_hidden, is_total, range_of


def test_ranges_are_read_and_subtracted() -> None:
    below, wider = range_of("<20"), range_of("<25")
    assert below is not None
    assert wider is not None
    assert str(wider.minus(below)) == "20-24"
    assert str(Range(65, float("inf"))) == "65+"
    assert range_of("North") is None


def test_totals_and_marks_are_known() -> None:
    assert is_total("All")
    assert not is_total("Allen")
    assert is_hidden("c")
    assert is_hidden("[redacted]")
    assert not is_hidden("12")
