from __future__ import annotations

import polars as pl
import pytest

from microveil.files.labels import Code, Labels

CODES: dict[str, dict[Code, str]] = {"x": {1: "one", 2: "two"}}


@pytest.mark.parametrize(
    ("column", "stays"),
    [
        (pl.Series("x", [1, 2, 7]), True),
        (pl.Series("x", [1.0, 2.0, None]), True),
        (pl.Series("x", [True, False]), True),
        (pl.Series("x", [], dtype=pl.Int64), True),
        (pl.Series("x", [1.5, 2.0]), False),
        (pl.Series("x", ["1", "2"]), False),
    ],
)
def test_value_labels_stay_while_codes_of_their_kind_do(column: pl.Series, stays: bool) -> None:  # noqa: FBT001 - a table of cases
    labels, lost = Labels(values=CODES).fitting(column.to_frame())
    assert ("x" in labels.values) == stays
    assert lost == (() if stays else ("x",))


def test_fractional_codes_fit_fractional_columns() -> None:
    labels = Labels(values={"x": {0.5: "half"}})
    assert labels.fitting(pl.DataFrame({"x": [0.25]}))[0] == labels


def test_labels_without_a_column_go_silently() -> None:
    labels, lost = Labels({"gone": "text"}, CODES, "title").fitting(pl.DataFrame({"y": [1]}))
    assert labels == Labels(title="title")
    assert lost == ()
