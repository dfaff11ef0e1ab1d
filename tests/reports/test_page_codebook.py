from __future__ import annotations

from microveil.reports.page_codebook import codebook
from microveil.reports.summary import Column


def test_levels_are_listed_and_ranges_are_told_by_their_ends() -> None:
    columns = [
        Column("sex", "text", 3, ("f", "<m>"), n_rare=1, missing_share=0.0),
        Column("pay", "numbers", None, None, range=("0", "9,000"), missing_share=0.25),
        Column("id", "whole numbers", 12_000, None, missing_share=None),
    ]
    page = str(codebook(columns))
    assert "&lt;m&gt;" in page
    assert "1 rarer" in page
    assert "many different values between 0 and 9,000" in page
    assert "12,000 values" in page
    for words in ("none", "25%", "not shown"):
        assert words in page


def test_a_long_codebook_is_folded_away() -> None:
    assert codebook([]) is None
    one = Column("a", "text", 1, ("x",), missing_share=0.0)
    assert "<details open" in str(codebook([one]))
    assert "<details open" not in str(codebook([one] * 13))
