from __future__ import annotations

from typing import Any

from microveil.reports.page_measures import measures_by_question


def told(question: str, *, headline: bool = False, **more: Any) -> dict[str, Any]:
    plain = {"value": 0.5, "scale": "share", "better": "lower", "title": "T", "meaning": "M."}
    return plain | {"question": question, "headline": headline} | more


def test_measures_stand_under_their_question_with_the_tail_folded_away() -> None:
    scores = {
        "a": (told("Why?"), None),
        "b": (told("Why?", headline=True), None),
        "c": (told("Why?"), None),
        "d": (told("How?"), None),
    }
    why, how = map(str, measures_by_question(scores))
    assert why.index(">b<") < why.index("2 further measures") < why.index(">a<")
    # Without a headline the first measure is shown.
    assert "details" not in how
    assert "Original" not in why


def test_the_original_has_a_column_where_it_was_measured() -> None:
    scores = {"a": (told("Why?"), told("Why?", value=1.0)), "b": (told("Why?"), None)}
    (page,) = map(str, measures_by_question(scores, before=True))
    assert page.index("100%") < page.index("50%")
    assert "–" in page


def test_parts_named_by_row_and_column_become_a_matrix() -> None:
    parts = {"mean_before": 1, "mean_after": 2, "sd_before": 3, "sd_after": 4}
    scores = {"a": (told("Why?", scale="mse", parts=parts), None)}
    (page,) = map(str, measures_by_question(scores))
    assert "see below" in page
    assert 'class="matrix"' in page
    odd = {"a": (told("Why?", parts={"mean_before": 1, "sd_after": 4}), None)}
    assert 'class="matrix"' not in str(measures_by_question(odd)[0])
