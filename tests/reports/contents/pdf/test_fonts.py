from __future__ import annotations

from microveil.reports.contents.pdf.fonts import plain_text, width_of, wrap_text


def test_no_line_is_wider_than_the_sheet_and_no_letter_is_lost() -> None:
    text = "the quick brown fox " * 5 + "x" * 200
    lines = wrap_text(text, 100, 10)
    assert all(width_of(line, 10) <= 100 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_letters_that_the_fonts_lack_are_told_otherwise() -> None:
    assert plain_text("k ≥ 5 ✓ año €") == "k >= 5 + año €"
    assert plain_text("имя") == "imya"
