from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import FileError
from microveil.files.delimited_text import rows
from microveil.files.delimited_text.rows import regular, tidy_rows

_CELL = st.text(st.sampled_from('ab,;"\n é'), max_size=4)


@given(table=st.lists(st.lists(_CELL, min_size=1, max_size=4), min_size=1, max_size=6))
def test_counting_bytes_agrees_with_parsing(table: list[list[str]]) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(table)
    raw, width = text.getvalue().encode(), len(table[0])
    same = all(len(row) == width for row in table)
    assert regular(io.BytesIO(raw), ",", width) == same


@pytest.mark.parametrize("chunk", [1, 3, 7])
def test_rows_may_cross_chunks(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "_CHUNK", chunk)
    assert regular(io.BytesIO(b'a,b\n"x\ny",2\n3,4'), ",", 2)
    assert not regular(io.BytesIO(b'a,b\n"x\ny",2\n3'), ",", 2)
    assert not regular(io.BytesIO(b"a,b\n\n1,2\n"), ",", 2)


def test_an_open_quote_is_not_regular() -> None:
    assert not regular(io.BytesIO(b'a,b\n1,"x\n2,3\n'), ",", 2)


def test_tidying_drops_blank_lines_and_pairs_quotes() -> None:
    raw = b'a,b\n\n5" pipe,1\n'
    assert tidy_rows(io.BytesIO(raw), Path("t.csv"), ",") == b'a,b\n"5"" pipe",1\n'


def test_tidying_refuses_ragged_rows() -> None:
    with pytest.raises(FileError, match="line 2 and has 1"):
        tidy_rows(io.BytesIO(b"a\tb\n1\n"), Path("t.tsv"), "\t")
