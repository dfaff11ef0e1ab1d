from __future__ import annotations

from microveil.reports.figure import Figure
from microveil.reports.page_utility import columns_section, utility_section
from microveil.reports.summary import Utility

PARTS = {"changed_share": 0.1, "suppressed_share": 0.05, "removed_share": 0.0}


def test_cells_come_first_then_columns() -> None:
    found = Utility(0.15, {"age": 0.7, "sex": 1.0}, rounded=False, parts=PARTS, note="A note.")
    page = str(utility_section(found, []))
    assert page.index("15%") < page.index("10%") < page.index(" 5%") < page.index("70%")
    assert "A note." in page
    assert "<details open" in page


def test_public_shares_are_about_right_and_many_columns_are_folded() -> None:
    found = Utility(0.15, {f"c{i}": 0.5 for i in range(40)}, rounded=True)
    page = str(utility_section(found, []))
    assert "about 15%" in page
    assert "<details open" not in page
    assert "were removed with their row" not in page
    assert "No utility was measured." in str(utility_section(None, []))


def test_columns_have_a_section_where_they_have_figures() -> None:
    assert columns_section([]) is None
    assert "<svg/>" in str(columns_section([Figure("columns", "age", "<svg/>")]))
