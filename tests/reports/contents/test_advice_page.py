"""The page of an advice says what it is given, and runs nothing."""

from __future__ import annotations

from microveil.reports.contents.advice_page import AdvicePage, OfferPage, advice_page

OFFER = OfferPage(
    "most useful", "mondrian (k 5)", 0.1, 0.05, ["5-anonymity holds."], ["<b>why</b>"], "steps: []"
)
PAGE = AdvicePage(
    goal="audience: public\n",
    problem="",
    offers=[OFFER],
    prices=["5-anonymity costs 0.1."],
    cautions=["Time was over."],
    tried=[("mondrian (k 5)", 0.1, 0.05, True, ""), ("drop", None, None, False, "No record.")],
)


def test_offers_prices_and_trials_are_on_the_page_and_text_is_escaped() -> None:
    page = advice_page(PAGE)
    for told in ("mondrian (k 5)", "5-anonymity costs 0.1.", "No record.", "Time was over."):
        assert told in page
    assert "&lt;b&gt;why&lt;/b&gt;" in page
    assert "<script" not in page


def test_a_problem_stands_first_and_there_is_a_spanish_page() -> None:
    page = advice_page(AdvicePage("", "Nothing fits.", [], [], [], [], remark="No figures."), "es")
    assert "Nothing fits." in page
    assert 'lang="es"' in page
