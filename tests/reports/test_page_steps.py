from __future__ import annotations

from typing import Any

from microveil.reports.page_steps import steps_section
from microveil.reports.summary import Step


def page_of(**facts: Any) -> str:
    step = Step(
        "blank", "Blanks <cells>.", ("a", "b"), on_keys=False, perturbative=True, facts=facts
    )
    return str(steps_section([step]))


def test_a_step_is_told_with_its_columns_and_what_it_may_break() -> None:
    page = page_of()
    assert "Blanks &lt;cells&gt;." in page
    assert "Columns: " in page
    assert "may be wrong" in page
    keys = Step("round", "Rounds.", ("a",), on_keys=True, perturbative=False)
    assert "The quasi-identifiers: " in str(steps_section([keys]))
    assert "unchanged" in str(steps_section([]))


def test_facts_by_column_are_one_table_and_columns_are_not_told_twice() -> None:
    page = page_of(n_changed={"a": 3, "b": 4}, n_missing={"a": 1}, seeds=7, named=["a", "b"])
    assert page.count("<tbody>") == 1
    assert page.index(">3<") < page.index(">1<") < page.index(">4<") < page.index("–")
    assert "seeds" in page
    assert "named" not in page


def test_the_solutions_of_a_search_say_which_was_released() -> None:
    found = [
        {"levels": {"age": 1, "sex": 0}, "loss": 0.25, "n_suppressed": 0},
        {"levels": {"age": 2, "sex": 0}, "loss": 0.5, "n_suppressed": 12_000},
    ]
    page = page_of(solutions=found, node=2)
    assert "2 (released)" in page
    assert "12,000" in page
    assert "1 (released)" not in page


def test_a_long_parameter_is_folded_away() -> None:
    step = Step("x", "X.", (), on_keys=False, perturbative=False, parameters={"tree": "ab" * 200})
    page = str(steps_section([step]))
    assert "<details>" in page
    assert "ab" * 200 in page


def test_matrices_are_tables_and_folded_away() -> None:
    matrix = [[0.8, 0.2], [0.3, 0.7]]
    for fact, n_tables in ((matrix, 1), ([matrix] * 3, 3)):
        page = page_of(transition={"a": fact})
        assert page.count("<tbody>") == n_tables
        assert page.index("<details") < page.index("0.8")
        assert "0.8, 0.2" not in page
