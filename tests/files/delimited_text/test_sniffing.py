from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.files.delimited_text.sniffing import SEPARATORS, separator_of, suggested_encoding


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be"])
@given(text=st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=8))
def test_unicode_is_recognised_by_its_form(encoding: str, text: str) -> None:
    suggested = suggested_encoding(text.encode(encoding))
    assert text.encode(encoding).decode(suggested) == text


def test_a_letter_cut_at_the_end_of_the_sample_is_no_other_encoding() -> None:
    assert suggested_encoding("Müller ü".encode()[:-1]) == "utf-8"


@given(
    separator=st.sampled_from(SEPARATORS),
    n_columns=st.integers(2, 6),
    cells=st.lists(st.integers(0, 99), min_size=1, max_size=20),
)
def test_a_regular_sample_gives_its_separator(
    separator: str, n_columns: int, cells: list[int]
) -> None:
    names = separator.join(f"c{n}" for n in range(n_columns))
    rows = "\n".join(separator.join([str(cell)] * n_columns) for cell in cells)
    assert separator_of(f"{names}\n{rows}\n") == separator


def test_a_few_ragged_rows_do_not_hide_the_separator() -> None:
    assert separator_of("a;b,c;d\n" + "1;2;3\n" * 9 + "1;2\n") == ";"


def test_one_column_has_no_separator_to_find() -> None:
    assert separator_of("name\nAnn\nBen\n") == ","
