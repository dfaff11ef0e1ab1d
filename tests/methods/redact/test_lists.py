from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv
from microveil.methods.redact.lists import Phrases
from microveil.methods.redact.spans import without, words_of


def test_phrases_are_found_whatever_lies_between_their_words(tmp_path: Path) -> None:
    file = tmp_path / "wards.txt"
    file.write_text("Ward 7\n\nSt. Anna\n", encoding="utf-8")
    text = "moved from ward-7 to ST ANNA, not to ward 8"
    found = Phrases.read([file]).spans(words_of(text))
    assert without(text, found)[0] == "moved from [listed] to [listed], not to ward 8"


def test_a_list_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(mv.FileError, match="one entry in each line"):
        Phrases.read([tmp_path / "none.txt"])
