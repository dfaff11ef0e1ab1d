from __future__ import annotations

import polars as pl

from microveil.files.labels import Codebook, Labels
from microveil.files.statistical.coding import decode_columns, decode_recoded, encode_columns

BOOK = Codebook({"1": 1, "[2, 4)": 11}, {".a": "a"}, {11: "[2, 4)"})


def test_texts_become_numbers_and_texts_again() -> None:
    labels = Labels(books={"x": BOOK})
    texts = pl.DataFrame({"x": ["1", "[2, 4)", ".a", None]})
    numbers = encode_columns(texts, labels)
    assert numbers["x"].to_list() == [1, 11, None, None]
    found = Labels(gaps={"x": pl.Series("x", [None, None, "a", None])})
    assert decode_columns(numbers, found, labels).equals(texts)


def test_codes_that_kept_their_label_are_the_same_values() -> None:
    before = Labels(values={"x": {1: "one", 2: "two"}})
    after = Labels(values={"x": {1: "one", 11: "{2, 3}: two; three"}})
    frame = pl.DataFrame({"x": [1, 11], "y": [1, 2]})
    told = decode_recoded(frame, after, before)
    assert told.to_dict(as_series=False) == {"x": ["1", "{2, 3}"], "y": [1, 2]}


def test_a_file_without_new_labels_stays_as_it_is() -> None:
    labels = Labels(values={"x": {1: "one"}})
    frame = pl.DataFrame({"x": [1, 2]})
    assert decode_recoded(frame, labels, labels).equals(frame)
