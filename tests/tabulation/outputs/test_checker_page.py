from __future__ import annotations

from microveil.tabulation.outputs.checker_page import checker_page


def test_what_a_project_is_called_cannot_run() -> None:
    record = {
        "name": "<b>", "verdict": "fail", "reasons": ["a: 2 records"], "exception": "agreed",
        "n": 1200, "code": "out.crosstab(x, y)",
    }  # fmt: skip
    page = checker_page("<script>", [record])
    assert "<script>" not in page
    assert "1,200" in page
    assert "Reason given: agreed" in page
