from __future__ import annotations

import pytest

from microveil.reports.figure import Figure
from microveil.reports.page_parts import (
    column_list,
    figure_row,
    meaning_words,
    not_taken,
    score_words,
    section,
    table,
)


def test_each_cell_carries_its_head_and_numbers_are_marked() -> None:
    page = str(table(["Column", "Cells"], [["age", "5"]], numeric_from=1))
    assert 'data-label="Cells"' in page
    assert page.count('class="number"') == 2
    with pytest.raises(ValueError, match="shorter"):
        table(["Column", "Cells"], [["age"]])


def test_a_hostile_name_stays_text() -> None:
    page = str(column_list(["<b>", "gone"], gone=["gone"]))
    assert "&lt;b&gt;" in page
    assert "<del>" in page
    assert page.count("removed") == 1
    assert str(section("Disclosure risk")).count('"disclosure-risk"') == 2


def test_a_reason_is_told_once_for_all_its_measures() -> None:
    assert not_taken({}) is None
    page = str(not_taken({"a": "too few", "b": "no numbers", "c": "too few"}))
    assert page.count("too few") == 1
    assert page.index(">a<") < page.index(">c<") < page.index("no numbers")


def test_shares_are_per_cent_and_sums_go_by_cell() -> None:
    assert score_words(None) == "–"
    share = {"scale": "share", "value": 0.25, "interval": [0.2, 0.3]}
    assert score_words(share) == "25% (20% to 30%)"
    assert score_words({"scale": "bits", "value": 1.5}) == "1.5"
    assert score_words({"scale": "x", "value": 900, "parts": {"per_cell": 0.5}}) == "0.5 a cell"
    words = meaning_words({"scale": "bits", "meaning": "What is lost.", "better": "lower"})
    assert words == "What is lost. Unit: bits. Lower is better."


def test_a_picture_is_described_for_those_who_cannot_see_it() -> None:
    assert figure_row([]) is None
    page = str(figure_row([Figure("risk", "Sizes & risks", "<svg></svg>")]))
    assert "<svg></svg>" in page
    assert 'aria-label="Sizes &amp; risks"' in page
