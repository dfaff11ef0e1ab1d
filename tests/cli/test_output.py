from __future__ import annotations

import io
import json

import numpy as np
import pytest
from rich.console import Console

from microveil.cli.output import print_grid, print_json


def test_what_json_cannot_say_becomes_null_or_text(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"nan": float("nan"), "many": (np.int64(3), [float("inf")]), "in": {5: "é"}})
    assert json.loads(capsys.readouterr().out) == {
        "nan": None,
        "many": [3, [None]],
        "in": {"5": "é"},
    }


def grid(width: int) -> str:
    out = io.StringIO()
    rows = [("a-word-that-is-quite-long", 1234567, None), ("[red]b", 0.123456, True)]
    print_grid(Console(file=out, width=width), "Title", ("name", "number", "yes or no"), rows)
    return out.getvalue()


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_no_word_and_no_number_is_cut_however_narrow_the_screen(width: int) -> None:
    words = ["Title", "a-word-that-is-quite-long", "1,234,567", "[red]b", "0.1235", "—", "yes"]
    text = grid(width)
    assert [word for word in words if word not in text] == []


def test_where_there_is_room_a_row_is_a_line() -> None:
    line = next(one for one in grid(80).splitlines() if "1,234,567" in one)
    assert "a-word-that-is-quite-long" in line
